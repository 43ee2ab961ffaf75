package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.block.Partition;
import java.util.concurrent.TimeUnit;

/** The answer of all data planes of a stack to a call with an API key. */
enum KeyTrial {
    TAKEN,
    REFUSED,
    /** The call failed for another reason than the key. */
    FAILED;

    /** The longest time of a trial. */
    static final long PATIENCE_MILLIS = 30_000;

    private static final long POLL_MILLIS = 20;
    private static final Prompt PROMPT = Prompt.of(Partition.of("trial", 16), 1, 1);

    /** A client of one data plane that tries everything once. */
    static KvClient client(String endpoint, String key) {
        return KvClient.builder()
                .endpoints(endpoint)
                .resource(LocalStack.RESOURCE)
                .apiKey(key)
                .retry(RetryOptions.NONE)
                .build();
    }

    /** Milliseconds until every data plane says this; {@link #PATIENCE_MILLIS} or more if one never does. */
    double millisUntil(LocalStack stack, String key) throws InterruptedException {
        long start = System.nanoTime();
        for (String endpoint : stack.endpoints()) {
            try (KvClient client = client(endpoint, key)) {
                while (of(client) != this && (System.nanoTime() - start) / 1e6 < PATIENCE_MILLIS) {
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static KeyTrial of(KvClient client) {
        try {
            var _ = client.lookup(PROMPT.partition(), PROMPT.chain());
            return TAKEN;
        } catch (KvStoreException e) {
            return switch (e.code()) {
                case UNAUTHENTICATED, PERMISSION_DENIED -> REFUSED;
                default -> FAILED;
            };
        }
    }
}
