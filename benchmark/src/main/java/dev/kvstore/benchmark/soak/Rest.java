package dev.kvstore.benchmark.soak;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Memory, calls and files that are still held once all clients of a round are closed.
 *
 * @param clientBytes off-heap memory of the SDK
 */
record Rest(int round, long clientBytes, List<RestServer> processes) {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_MILLIS = 250;

    /**
     * A data plane.
     *
     * @param calls that run or wait for their client
     * @param inboundBytes memory of received messages
     * @param transferBytes memory of blocks that are in no tier
     * @param openFiles files and connections; 0 where the system does not tell
     * @param residentBytes memory of the machine; 0 where the system does not tell
     */
    record RestServer(
            String name, long calls, long inboundBytes, long transferBytes, long openFiles, long residentBytes) {
        static RestServer of(StackDataPlane dataPlane) {
            Metrics metrics = dataPlane.metrics();
            return new RestServer(
                    dataPlane.name(),
                    (long) (metrics.sum("kvstore_operations_running") + metrics.sum("kvstore_operations_idle")),
                    (long) metrics.sum("kvstore_inbound_memory_used_bytes"),
                    (long) (metrics.sum("kvstore_memory_pool_used_bytes")
                            - metrics.sum("kvstore_memory_tier_used_bytes")),
                    filesOf(dataPlane.process().pid()),
                    dataPlane.process().usage().residentBytes());
        }

        boolean isClear() {
            return calls == 0 && inboundBytes == 0 && transferBytes == 0;
        }
    }

    /** Whether all that calls had taken was given back. */
    boolean isClear() {
        return clientBytes == 0 && processes.stream().allMatch(RestServer::isClear);
    }

    /** Waits until everything was given back, a minute at most. */
    static Rest await(int round, List<StackDataPlane> dataPlanes) throws InterruptedException {
        long start = System.nanoTime();
        Rest rest = now(round, dataPlanes);
        while (!rest.isClear() && System.nanoTime() - start < PATIENCE_NANOS) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            rest = now(round, dataPlanes);
        }
        return rest;
    }

    private static Rest now(int round, List<StackDataPlane> dataPlanes) {
        return new Rest(
                round,
                PooledByteBufAllocator.DEFAULT.pinnedDirectMemory(),
                dataPlanes.stream().map(RestServer::of).toList());
    }

    private static long filesOf(long pid) {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }
}
