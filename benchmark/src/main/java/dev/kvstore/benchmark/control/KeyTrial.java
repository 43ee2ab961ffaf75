package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.block.Partition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Tries one key at every data plane of a stack. For one thread. */
final class KeyTrial implements AutoCloseable {
    /** The longest time of a trial. */
    static final long PATIENCE_MILLIS = 30_000;

    private static final long POLL_MILLIS = 20;
    private static final Partition PARTITION = Partition.of("trial", 16);
    private static final Prompt PROMPT = Prompt.of(PARTITION, 1, 1);

    private final List<KvClient> clients;

    KeyTrial(LocalStack stack, String key) {
        this.clients = stack.endpoints().stream()
                .map(endpoint -> client(endpoint, key))
                .toList();
    }

    /** A client of one data plane that tries everything once. */
    static KvClient client(String endpoint, String key) {
        return KvClient.builder()
                .endpoints(endpoint)
                .resource(LocalStack.RESOURCE)
                .apiKey(key)
                .retry(RetryOptions.NONE)
                .build();
    }

    /** Milliseconds until every data plane has taken it; {@link #PATIENCE_MILLIS} or more if one never did. */
    double untilTaken() throws InterruptedException {
        return until(KeyTrial::isTaken);
    }

    /** Milliseconds until every data plane has refused it; {@link #PATIENCE_MILLIS} or more if one never did. */
    double untilRefused() throws InterruptedException {
        return until(KeyTrial::isRefused);
    }

    private double until(Predicate<KvClient> found) throws InterruptedException {
        long start = System.nanoTime();
        for (KvClient client : clients) {
            while (!found.test(client) && Workers.millisSince(start) < PATIENCE_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return Workers.millisSince(start);
    }

    private static boolean isTaken(KvClient client) {
        try {
            ask(client);
            return true;
        } catch (KvStoreException e) {
            return false;
        }
    }

    private static boolean isRefused(KvClient client) {
        try {
            ask(client);
            return false;
        } catch (KvStoreException e) {
            // Whatever else fails is no refusal.
            return switch (e.code()) {
                case UNAUTHENTICATED, PERMISSION_DENIED -> true;
                default -> false;
            };
        }
    }

    private static void ask(KvClient client) {
        var _ = client.lookup(PARTITION, PROMPT.chain());
    }

    @Override
    public void close() {
        clients.forEach(KvClient::close);
    }
}
