package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An admin who makes a key, uses it, revokes it, and asks a data plane until it refuses the key. Thread-safe.
 *
 * @param clients makes a client of the data plane from a key's text
 */
record HonestRevoker(AdminClient admin, Function<String, KvClient> clients) implements HonestCalls.HonestCaller {
    static final int CALLS_PER_SECOND = 2;

    /** The API promises that each data plane refuses a revoked key within this time. */
    private static final Duration PROMISED = Duration.ofSeconds(5);

    private static final long POLL_MILLIS = 10;
    private static final List<String> KEYS = List.of("v1", "tenants", LocalStack.TENANT, "keys");
    private static final Prompt PROMPT = Prompt.of(Partition.of("revoked", 16), 0, 1);

    @Override
    public void call(int number) throws InterruptedException {
        JsonNode made = admin.send(RestRequest.post(KEYS, JsonNodeFactory.instance.objectNode()))
                .accepted()
                .body();
        try (KvClient client = clients.apply(made.path("key").asText())) {
            var _ = client.lookup(PROMPT.partition(), PROMPT.chain());
            List<String> key = List.of(
                    "v1", "tenants", LocalStack.TENANT, "keys", made.path("id").asText());
            var _ = admin.send(RestRequest.delete(key)).accepted();
            long revoked = System.nanoTime();
            while (isServed(client)) {
                if (System.nanoTime() - revoked > PROMISED.toNanos()) {
                    throw new IllegalStateException(
                            "a key was served " + PROMISED.toSeconds() + " s after it was revoked");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private static boolean isServed(KvClient client) {
        try {
            var _ = client.lookup(PROMPT.partition(), PROMPT.chain());
            return true;
        } catch (KvStoreException refused) {
            if (refused.code() == ErrorCode.UNAUTHENTICATED) {
                return false;
            }
            throw refused;
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
