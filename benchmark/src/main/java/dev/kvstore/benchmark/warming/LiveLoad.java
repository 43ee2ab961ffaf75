package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.Partition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * The load of clients of a region meanwhile: one after the other, each when it is due, a Lookup and a StreamingRead of
 * four blocks of 1.2 MB that lie in memory, and now and then a Write. How long each took counts from when it was due.
 * To be started and ended by one thread.
 */
final class LiveLoad implements AutoCloseable {
    static final int BLOCK_BYTES = 1_200_000;
    private static final int PROMPTS = 16;
    private static final int BLOCKS = 4;
    private static final int WRITE_EVERY = 8;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PromptCalls calls;
    private final Partition partition;
    private final List<Prompt> prompts;
    private final LongAdder failures = new LongAdder();
    private volatile Latencies latencies = new Latencies();
    private final CallLoad load;

    /** Writes what will be read, and begins. */
    LiveLoad(KvClient client, String region) {
        this.calls = new PromptCalls(client, BLOCK_BYTES);
        this.partition = Partition.of("live/" + region);
        this.prompts = IntStream.range(0, PROMPTS)
                .mapToObj(i -> Prompt.of(partition, i, BLOCKS))
                .toList();
        prompts.forEach(calls::write);
        long start = System.nanoTime();
        this.load = CallLoad.closed(1, number -> request(number, start + number * PERIOD_NANOS));
    }

    /** Measures anew; what is measured from now on. */
    Latencies begin() {
        Latencies anew = new Latencies();
        latencies = anew;
        return anew;
    }

    /** Requests that failed, or did not find a block that was written. */
    long failures() {
        return failures.sum();
    }

    private void request(int number, long due) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        Latencies counted = latencies;
        try {
            Prompt prompt = prompts.get(number % PROMPTS);
            if (number % WRITE_EVERY == 0) {
                calls.write(Prompt.of(partition, PROMPTS + number, 1));
            } else if (calls.lookUp(prompt) + calls.stream(prompt) > 0) {
                failures.increment();
            }
        } catch (RuntimeException e) {
            failures.increment();
        }
        counted.addSince(due);
    }

    @Override
    public void close() {
        load.close();
    }
}
