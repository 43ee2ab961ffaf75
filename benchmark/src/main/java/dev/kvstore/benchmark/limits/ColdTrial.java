package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobCalls;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A stream of 64 blocks from a storage that is far away, beside one Read from there and the same stream from memory:
 * were all 64 asked for at once, and handed on as they come, it would take as long as these two together. Two data
 * planes: one keeps nothing in memory, so that whatever it reads is cold.
 */
final class ColdTrial implements LimitTrial {
    static final String STREAM = "StreamingRead of 64 blocks, cold";
    static final String READ = "Read, cold";
    static final String TRANSFER = "StreamingRead of 64 blocks, from memory";

    private static final StorageLatency FAR = new StorageLatency(Duration.ofMillis(20), Duration.ZERO);
    private static final int PROMPTS = 2;
    private static final double MOST = 0.99;

    @Override
    public int steps(LimitsOptions options) {
        return LimitRounds.steps(options, 3);
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane far =
                        MeasuredDataPlane.start(scene, "cold", Map.of("KVSTORE_MEMORY_TIER_SIZE", "0"), FAR);
                MeasuredDataPlane near = MeasuredDataPlane.start(scene, "hot")) {
            MainJobOperation stream = calls(far).streams();
            MainJobOperation read = calls(far).reads();
            MainJobCalls transfer = calls(near);
            LimitRounds.run(
                    scene,
                    List.of(
                            new LimitCase(STREAM, 1, time -> MeasuredDataPlane.latency(cold(far, stream, time))),
                            new LimitCase(READ, 1, time -> MeasuredDataPlane.latency(cold(far, read, time))),
                            new LimitCase(TRANSFER, 1, time -> {
                                transfer.heat();
                                return MeasuredDataPlane.latency(near.measureHot(transfer.streams(), 1, time));
                            })));
        }
    }

    private static MainJobCalls calls(MeasuredDataPlane subject) throws InterruptedException {
        return MainJobCalls.of(subject.client(), subject.store("limits/cold", PROMPTS));
    }

    private static OperationMeasurement cold(MeasuredDataPlane subject, MainJobOperation operation, Duration time)
            throws InterruptedException {
        OperationMeasurement measurement = subject.measure(operation, 1, time);
        double read = measurement.dataPlane().fromStorage();
        if (read < MOST * measurement.blocks()) {
            throw new IllegalStateException(
                    "of %,d blocks only %.0f came from storage".formatted(measurement.blocks(), read));
        }
        return measurement;
    }
}
