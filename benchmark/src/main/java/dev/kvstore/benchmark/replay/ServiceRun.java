package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replay through a service of its own, or one that runs. For one thread. */
final class ServiceRun {
    /** The deadline of one operation: the longest prompts have a thousand blocks. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    private final Home home;
    private final Trace trace;
    private final Survey survey;
    private final ServiceOptions.ReplayPlan plan;

    ServiceRun(Home home, Trace trace, Survey survey, ServiceOptions.ReplayPlan plan) {
        this.home = home;
        this.trace = trace;
        this.survey = survey;
        this.plan = plan;
    }

    /** All requests; those that were done if this thread is interrupted meanwhile. */
    ServiceReport run(BenchProgress progress) throws IOException, InterruptedException {
        ServiceOptions.Remote remote = plan.remote();
        if (remote != null) {
            return through(remote, progress);
        }
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-replay-")) {
            boolean held = false;
            progress.accept("starting a data plane with " + plan.memoryTierSize() + " of memory and "
                    + plan.diskTierSize() + " of disk for blocks");
            try (LocalStack stack = LocalStack.start(options(folder.path()), new SecureRandom());
                    Detours detours = new Detours(plan.slowed());
                    KvClient client = client(builder(stack.key().text())
                            .endpoints(detours.endpoint(stack.dataPlane(0).endpoint()))
                            .resource(LocalStack.RESOURCE))) {
                ServiceReport report = replay(
                        client,
                        stack.dataPlanes().stream()
                                .map(StackDataPlane::metricsUrl)
                                .toList(),
                        "a data plane of its own with %s of memory and %s of disk, over a local folder%s"
                                .formatted(plan.memoryTierSize(), plan.diskTierSize(), detours.text()),
                        progress);
                held = report.holds();
                return report;
            } finally {
                if (!held) {
                    Path logs = home.target().resolve("kv-bench-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the data plane's log is kept in " + logs);
                }
            }
        }
    }

    private ServiceReport through(ServiceOptions.Remote remote, BenchProgress progress) throws IOException {
        String key = Files.readString(remote.keyFile()).strip();
        try (KvClient client = client(builder(key)
                .endpoints(remote.endpoints().toArray(String[]::new))
                .resource(remote.resource()))) {
            requireAnswer(client, remote);
            return replay(
                    client,
                    remote.metrics().stream().map(URI::create).toList(),
                    "the service at " + String.join(", ", remote.endpoints()),
                    progress);
        }
    }

    private static void requireAnswer(KvClient client, ServiceOptions.Remote remote) {
        Partition partition = Partition.of("replay/hello");
        BlockChain chain = BlockChain.of(partition, Tokens.of(new int[partition.blockTokens()]));
        try {
            var _ = client.lookup(partition, chain, CallOptions.DEFAULT.withDeadline(FIRST_ANSWER));
        } catch (KvStoreException e) {
            throw new LaunchException(
                    "--endpoint: " + String.join(", ", remote.endpoints()) + " does not answer a lookup: "
                            + e.getMessage() + "; name the data planes that run, and a key and a resource of theirs",
                    e);
        }
    }

    private ServiceReport replay(KvClient client, List<URI> metrics, String service, BenchProgress progress)
            throws IOException {
        // No two runs share blocks: what an earlier one left would be found.
        String partition = "replay/" + Long.toHexString(new SecureRandom().nextLong());
        TierFigures.TierCounters before = metrics.isEmpty() ? null : TierFigures.TierCounters.of(metrics);
        ServiceFigures figures;
        try (Requests requests = trace.open()) {
            figures = new ServiceReplay(partition, plan.replay()).replay(client, requests, survey.requests(), progress);
        }
        TierFigures tiers = before == null ? null : since(before, metrics, figures, progress);
        return new ServiceReport(
                survey,
                service,
                plan.replay().blockBytes(),
                plan.replay().speedup(),
                plan.replay().mostAtOnce(),
                figures,
                tiers);
    }

    /** Null if the data planes do not tell any more: the replayed requests are reported all the same. */
    private static @Nullable TierFigures since(
            TierFigures.TierCounters before, List<URI> metrics, ServiceFigures figures, BenchProgress progress) {
        try {
            return before.until(TierFigures.TierCounters.of(metrics), figures);
        } catch (LaunchException e) {
            progress.accept("nothing can be said of tiers: " + e.getMessage());
            return null;
        }
    }

    private StackOptions options(Path folder) {
        Map<String, String> settings = new HashMap<>();
        settings.put("KVSTORE_MEMORY_TIER_SIZE", plan.memoryTierSize());
        settings.put("KVSTORE_DISK_TIER_SIZE", plan.diskTierSize());
        settings.put("KVSTORE_DISK_TIER_PATH", folder.resolve("disk").toString());
        return StackOptions.onFreePorts(home, folder).withDataPlanes(1).withSettings(settings);
    }

    private static KvClientBuilder builder(String key) {
        return KvClient.builder().apiKey(key).deadline(DEADLINE);
    }

    private static KvClient client(KvClientBuilder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--endpoint, --key-file: " + e.getMessage(), e);
        }
    }
}
