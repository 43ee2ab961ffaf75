package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.CpuClock;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.time.Duration;
import java.util.List;

/**
 * One operation at one number of clients for some seconds.
 *
 * @param seconds from the first operation's begin to the last one's end
 * @param latency of an operation
 * @param clientCpuSeconds processor time of this process meanwhile
 * @param dataPlane the data plane's work meanwhile
 */
public record OperationMeasurement(
        long blocks,
        long bytes,
        double seconds,
        Latencies.Percentiles latency,
        double clientCpuSeconds,
        DataPlaneUse dataPlane) {
    private static final double SECOND = 1e9;

    /**
     * Measures.
     *
     * @param mostBytes the measurement ends early after so many
     * @throws IllegalStateException if an operation failed
     */
    public static OperationMeasurement of(
            StackDataPlane dataPlane, MainJobOperation operation, int clients, Duration time, long mostBytes)
            throws InterruptedException {
        ClientSample sample = new ClientSample();
        List<StackDataPlane> measured = List.of(dataPlane);
        DataPlaneUse before = DataPlaneUse.of(measured);
        Duration cpu = CpuClock.of(ProcessHandle.current());
        long start = System.nanoTime();
        try (CallLoad load = CallLoad.onPlatformThreads()) {
            load.with(clients, _ -> {
                operation.once(sample);
                if (sample.bytes.sum() >= mostBytes) {
                    load.stop();
                }
            });
            load.during(time);
        }
        long nanos = System.nanoTime() - start;
        cpu = CpuClock.of(ProcessHandle.current()).minus(cpu);
        DataPlaneUse used = DataPlaneUse.of(measured).since(before);
        return new OperationMeasurement(
                sample.blocks.sum(),
                sample.bytes.sum(),
                nanos / SECOND,
                sample.latency.percentiles(),
                cpu.toNanos() / SECOND,
                used);
    }

    /** Processor time of both ends. */
    public double cpuSeconds() {
        return clientCpuSeconds + dataPlane.cpuSeconds();
    }
}
