package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.block.Partition;
import java.util.List;

/** Whether a data plane asks the control plane about a known answer. Stateless. */
final class CachedLookups {
    private static final int LOOKUPS = 10_000;
    private static final String METRIC = "kvstore_account_resolutions_total";
    private static final Partition PARTITION = Partition.of("control");

    private CachedLookups() {}

    /** Looks up with a key that was just made: once, which asks, and then again and again. */
    static ResolveReport.Cached run(LocalStack stack, StackControlPlane control) throws InterruptedException {
        StackDataPlane dataPlane = stack.dataPlane(0);
        Prompt prompt = Prompt.of(PARTITION, 1, 1);
        try (AdminClient admin = control.admin();
                KvClient client = KvClient.builder()
                        .endpoints(dataPlane.endpoint())
                        .resource(LocalStack.RESOURCE)
                        .apiKey(newKey(admin))
                        .build()) {
            var _ = client.lookup(PARTITION, prompt.chain());
            double before = dataPlane.metrics().sum(METRIC);
            if (before == 0) {
                throw new IllegalStateException(METRIC + " of " + dataPlane.name() + " counts nothing");
            }
            long start = System.nanoTime();
            for (int i = 0; i < LOOKUPS; i++) {
                var _ = client.lookup(PARTITION, prompt.chain());
            }
            double seconds = Workers.secondsSince(start);
            return new ResolveReport.Cached(
                    LOOKUPS, seconds, Math.round(dataPlane.metrics().sum(METRIC) - before));
        }
    }

    /** A key of the stack's tenant. */
    static String newKey(AdminClient admin) throws InterruptedException {
        return admin.send(RestRequest.post(
                        List.of("v1", "tenants", LocalStack.TENANT, "keys"),
                        JsonNodeFactory.instance.objectNode().put("label", "bench")))
                .accepted()
                .body()
                .path("key")
                .asText();
    }
}
