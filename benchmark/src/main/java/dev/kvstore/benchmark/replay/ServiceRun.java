package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replay through a service of its own, or one that runs. For one thread. */
record ServiceRun(Trace trace, Survey survey, ServiceOptions options, ReplayOptions pace, BenchProgress progress) {
    private static final int CONNECTIONS = 2;

    /** All requests; those that were done if this thread is interrupted meanwhile. */
    ServiceReport run() throws IOException, InterruptedException {
        ServiceAccess remote = options.remote();
        if (remote != null) {
            Partition partition = Partition.of("replay/hello");
            remote.reach(
                    "--endpoint", partition, BlockChain.of(partition, Tokens.of(new int[partition.blockTokens()])));
            return replay(remote, options.metrics(), "the service at " + String.join(", ", remote.endpoints()));
        }
        progress.accept("starting a data plane with " + options.memoryTierSize + " of memory and "
                + options.diskTierSize + " of disk for blocks");
        return BenchStack.during(
                stack -> stack.withDataPlanes(1)
                        .withSettings(Map.of(
                                "KVSTORE_MEMORY_TIER_SIZE", options.memoryTierSize,
                                "KVSTORE_DISK_TIER_SIZE", options.diskTierSize)),
                progress,
                (stack, _) -> replay(stack));
    }

    private ServiceReport replay(LocalStack stack) throws IOException {
        try (Detours detours = new Detours(options.slowed())) {
            StackDataPlane dataPlane = stack.dataPlane(0);
            return replay(
                    ServiceAccess.local(
                            List.of(detours.endpoint(dataPlane.endpoint())),
                            LocalStack.RESOURCE,
                            stack.key().text()),
                    List.of(dataPlane.metricsUrl()),
                    "a data plane of its own with %s of memory and %s of disk, over a local folder%s"
                            .formatted(options.memoryTierSize, options.diskTierSize, detours.text()));
        }
    }

    private ServiceReport replay(ServiceAccess access, List<URI> metrics, String service) throws IOException {
        // No two runs share blocks: what an earlier one left would be found.
        String partition = "replay/" + Long.toHexString(new SecureRandom().nextLong());
        TierFigures before = metrics.isEmpty() ? null : TierFigures.of(metrics);
        ServiceFigures figures;
        try (KvClient client = access.clientOfAll(CONNECTIONS);
                Requests requests = trace.open()) {
            figures = new ServiceReplay(partition, pace).replay(client, requests, survey.requests(), progress);
        }
        return new ServiceReport(
                survey,
                service,
                pace.blockBytes(),
                pace.speedup(),
                pace.mostAtOnce(),
                figures,
                before == null ? null : since(before, metrics, figures));
    }

    /** Null if the data planes do not tell any more: the replayed requests are reported all the same. */
    private @Nullable TierFigures since(TierFigures before, List<URI> metrics, ServiceFigures figures) {
        try {
            return before.until(TierFigures.of(metrics), figures);
        } catch (LaunchException e) {
            progress.accept("nothing can be said of tiers: " + e.getMessage());
            return null;
        }
    }
}
