package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
        double seconds = new StorageCalls(List.of(dataPlane))
                .during(storageCalls, () -> seconds(operation, sample, clients, time));
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
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            long start = System.nanoTime();
            Callable<ClientSample> client = () -> {
                while (System.nanoTime() - start < time.toNanos() && sample.bytes.sum() < operation.mostBytes()) {
                    operation.once(sample);
                    sample.operations.increment();
                }
                return sample;
            };
            for (Future<ClientSample> done : threads.invokeAll(Collections.nCopies(clients, client))) {
                done.get();
            }
            return (System.nanoTime() - start) / SECOND;
        } catch (ExecutionException e) {
            throw new IllegalStateException(operation.name() + " failed: " + e.getCause(), e);
        }
    }

    private static double clientCpuSeconds() {
        return seconds(ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private double serverCpuSeconds() {
        return seconds(dataPlane.process().usage().cpu());
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / SECOND;
    }
}
