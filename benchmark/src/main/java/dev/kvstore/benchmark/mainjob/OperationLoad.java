package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.CpuClock;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Clients that do an operation again and again, each in a platform thread of its own. For one thread. */
public final class OperationLoad {
    private static final double SECOND = 1e9;

    private final StackDataPlane dataPlane;

    public OperationLoad(StackDataPlane dataPlane) {
        this.dataPlane = dataPlane;
    }

    public OperationMeasurement run(MainJobOperation operation, int clients, Duration time)
            throws InterruptedException, IOException {
        operation.prepare();
        ClientSample sample = new ClientSample();
        Map<String, Double> storageCalls = new TreeMap<>();
        double client = clientCpuSeconds();
        double server = serverCpuSeconds();
        double seconds = DataPlaneUse.during(
                () -> DataPlaneUse.of(List.of(dataPlane)),
                storageCalls,
                () -> seconds(operation, sample, clients, time));
        client = clientCpuSeconds() - client;
        server = serverCpuSeconds() - server;
        operation.finish();
        return new OperationMeasurement(
                sample.operations.sum(),
                sample.blocks.sum(),
                sample.bytes.sum(),
                seconds,
                sample.latency.percentiles(),
                client,
                server,
                storageCalls);
    }

    private static double seconds(MainJobOperation operation, ClientSample sample, int clients, Duration time)
            throws InterruptedException {
        long start = System.nanoTime();
        try (CallLoad calls = CallLoad.onPlatformThreads()) {
            var _ = calls.until(clients, _ -> {
                operation.once(sample);
                sample.operations.increment();
                return sample.bytes.sum() >= operation.mostBytes();
            });
            var _ = calls.isStoppedWithin(time);
            calls.end();
        }
        return (System.nanoTime() - start) / SECOND;
    }

    private static double clientCpuSeconds() {
        return CpuClock.of(ProcessHandle.current()).toNanos() / SECOND;
    }

    private double serverCpuSeconds() {
        return dataPlane.process().usage().cpu().toNanos() / SECOND;
    }
}
