package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * 20 calls a second, at their time whether or not those before have ended: lookups, reads and writes in turn, each second of
 * a new client, which has to connect first. For one thread.
 */
final class HonestClient {
    private static final int CALLS_PER_SECOND = 20;
    private static final int BLOCK_BYTES = 256 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Partition PARTITION = Partition.of("honest", 16);

    private final Supplier<KvClient> clients;
    private final AtomicInteger numbers = new AtomicInteger();

    /** @param clients makes a new client, which is closed after a second's calls */
    HonestClient(Supplier<KvClient> clients) {
        this.clients = clients;
    }

    static Duration deadline() {
        return DEADLINE;
    }

    /**
     * Outcomes of the calls of some seconds.
     *
     * @param lost calls that failed, all retries included
     * @param firstFailure of them; empty if there was none
     */
    record Window(int calls, int lost, double p99Millis, String firstFailure) {}

    /** Calls for so many seconds. */
    Window call(int seconds) throws InterruptedException {
        Latencies latencies = new Latencies();
        List<String> failures = new ArrayList<>();
        int calls = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            long start = System.nanoTime();
            for (int second = 0; second < seconds; second++) {
                int first = second * CALLS_PER_SECOND;
                ends.add(threads.submit(() -> {
                    callOfASecond(start, first, latencies, failures);
                    return null;
                }));
                calls += CALLS_PER_SECOND;
            }
            for (Future<?> end : ends) {
                try {
                    end.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("the honest client could not go on: " + e.getMessage(), e);
                }
            }
        }
        return new Window(
                calls,
                failures.size(),
                latencies.percentiles().p99Millis(),
                failures.isEmpty() ? "" : failures.getFirst());
    }

    private void callOfASecond(long start, int first, Latencies latencies, List<String> failures)
            throws InterruptedException {
        sleepUntil(start, first);
        try (KvClient client = clients.get();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = first; i < first + CALLS_PER_SECOND; i++) {
                sleepUntil(start, i);
                var _ = threads.submit(() -> one(client, latencies, failures));
            }
        }
    }

    private static void sleepUntil(long start, int call) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(start + call * TimeUnit.SECONDS.toNanos(1) / CALLS_PER_SECOND - System.nanoTime());
    }

    private void one(KvClient client, Latencies latencies, List<String> failures) {
        int number = numbers.getAndIncrement();
        long begun = System.nanoTime();
        try {
            switch (number % 3) {
                case 0 -> write(client, Prompt.of(PARTITION, number, 1));
                case 1 -> {
                    Prompt prompt = Prompt.of(PARTITION, 0, 1);
                    if (client.lookup(PARTITION, prompt.chain()).cachedBlocks() != 1) {
                        throw new IllegalStateException("the first block is not counted");
                    }
                }
                default ->
                    client.readBlock(Prompt.of(PARTITION, 0, 1).chain().location(0))
                            .close();
            }
        } catch (KvStoreException | IllegalStateException e) {
            synchronized (failures) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        latencies.addSince(begun);
    }

    /** The partition of all its blocks, as a warming selects it. */
    static ObjectNode partition() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("partition", PARTITION.name())
                .put("blockTokens", PARTITION.blockTokens());
    }

    /** Writes the block that is read and looked up later. */
    void prepare() {
        try (KvClient client = clients.get()) {
            write(client, Prompt.of(PARTITION, 0, 1));
        }
        numbers.set(1);
    }

    private static void write(KvClient client, Prompt prompt) {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        Payload.fill(prompt.chain().hash(0), buffer);
        var _ = client.write(PARTITION, NewBlock.of(prompt.chain(), 0, prompt.block(0), buffer));
    }
}
