package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.Measurement;
import dev.kvstore.benchmark.mainjob.Operation;
import dev.kvstore.benchmark.mainjob.Reads;
import dev.kvstore.benchmark.mainjob.Stock;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stream of 64 blocks from a storage that is far away, beside one Read from there and the same stream from memory: were all
 * 64 asked for at once, and handed on as they come, it would take as long as these two together. Two data planes: one keeps
 * nothing in memory, so that whatever it reads is cold.
 */
final class ColdTrial implements Trial {
    static final String STREAM = "StreamingRead of 64 blocks, cold";
    static final String READ = "Read, cold";
    static final String TRANSFER = "StreamingRead of 64 blocks, from memory";

    private static final StorageLatency FAR = new StorageLatency(Duration.ofMillis(20), Duration.ZERO);
    private static final int PROMPTS = 2;
    private static final double MOST = 0.99;

    @Override
    public int steps(LimitsOptions options) {
        return Rounds.steps(options, 3);
    }

    @Override
    public void run(Scene scene) throws IOException, InterruptedException {
        try (Subject far = Subject.start(scene, "cold", Map.of("KVSTORE_MEMORY_TIER_SIZE", "0"), FAR);
                Subject near = Subject.start(scene, "hot")) {
            Operation stream = stream(STREAM, far, false);
            Operation read = new Reads.Unary(far.client(), stock(far), new AtomicLong());
            Operation transfer = stream(TRANSFER, near, true);
            Rounds.run(
                    scene,
                    List.of(
                            new Case(STREAM, 1, time -> Subject.latency(cold(far, stream, time))),
                            new Case(READ, 1, time -> Subject.latency(cold(far, read, time))),
                            new Case(TRANSFER, 1, time -> Subject.latency(near.measureHot(transfer, 1, time)))));
        }
    }

    private static Operation stream(String name, Subject subject, boolean heated) throws InterruptedException {
        return new Reads.Streaming(
                name, Operation.Unit.MEGABYTES, subject.client(), stock(subject), heated, new AtomicLong());
    }

    /** Stored again, it is the same. */
    private static Stock stock(Subject subject) throws InterruptedException {
        return Stock.write(subject.client(), "limits/cold", PROMPTS, Subject.PROMPT_BLOCKS, Subject.BLOCK_BYTES);
    }

    private static Measurement cold(Subject subject, Operation operation, Duration time)
            throws IOException, InterruptedException {
        Measurement measurement = subject.measure(operation, 1, time);
        double read = Subject.storageReads(measurement.storageCalls());
        if (read < MOST * measurement.blocks()) {
            throw new IllegalStateException(
                    "of %,d blocks only %.0f came from storage".formatted(measurement.blocks(), read));
        }
        return measurement;
    }
}
