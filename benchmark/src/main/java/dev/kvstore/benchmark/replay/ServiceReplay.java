package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.replay.ReplayTally.ReplayFlaw;
import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.TraceRequest;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Replays requests through a service, span after span, each when it is due: a Lookup of its prompt, a StreamingRead of
 * the stored blocks, a StreamingWrite of the rest. What earlier spans wrote is remembered, and must be found. For one
 * thread at a time.
 */
public final class ServiceReplay {
    /** Bytes of all buffers that are being written. */
    private static final long BUFFER_BYTES = 128L << 20;

    private static final int MOST_BUFFERS = 256;

    /** After this many failures the replay gives up. */
    private static final int MOST_FAILURES = 100;

    private static final int STEPS = 20;
    private static final double SECOND = 1e9;

    private final ReplayOptions options;
    private final Partition partition;
    private final Acknowledged acknowledged;
    private final BlockingQueue<ByteBuffer> buffers;

    /**
     * A replay into a partition of its own.
     *
     * @param partition its name; what others wrote there must be of {@link ReplayOptions#blockBytes} too
     */
    public ServiceReplay(String partition, ReplayOptions options) {
        this.options = options;
        this.partition = Partition.of(partition, TraceRequest.BLOCK_TOKENS);
        this.acknowledged = new Acknowledged(options.visibleWithin());
        int count = Math.clamp(BUFFER_BYTES / options.blockBytes(), 2, MOST_BUFFERS);
        this.buffers = new ArrayBlockingQueue<>(count);
        for (int i = 0; i < count; i++) {
            buffers.add(ByteBuffer.allocateDirect(options.blockBytes()));
        }
    }

    /**
     * Replays the next requests of a reading; the first of them is due at once, the others by their distance from it.
     * If this thread is interrupted, or too much fails, it gives up the requests under way and reports its figures so
     * far.
     *
     * @param most how many requests, 1 to 10^15; fewer if the reading ends
     * @param progress told every twentieth of them
     */
    public ServiceFigures replay(KvClient client, Requests requests, long most, BenchProgress progress)
            throws IOException {
        ReplayTally tally = new ReplayTally();
        ReplayedRequest work =
                new ReplayedRequest(client, partition, options.blockBytes(), acknowledged, buffers, tally);
        long start = System.nanoTime();
        boolean interrupted = false;
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            boolean all = begin(requests, most, work, threads, start, progress);
            threads.shutdown();
            interrupted = !all || !threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (!threads.isTerminated()) {
                tally.stop();
                threads.shutdownNow();
            }
            threads.close();
        }
        return tally.figures((System.nanoTime() - start) / SECOND, interrupted);
    }

    /** Begins each request when it is due, or once there is room; false if too much fails. */
    private boolean begin(
            Requests requests,
            long most,
            ReplayedRequest work,
            ExecutorService threads,
            long start,
            BenchProgress progress)
            throws IOException, InterruptedException {
        Semaphore room = new Semaphore(options.mostAtOnce());
        ReplayTally tally = work.tally();
        long first = 0;
        int steps = (int) Math.min(STEPS, most);
        int step = 0;
        progress.plan(steps);
        for (long number = 0; number < most; number++) {
            TraceRequest request = requests.next();
            if (request == null) {
                return true;
            }
            if (step < steps && step * most <= number * steps) {
                progress.step("%,d of %,d requests".formatted(number, most));
                step++;
            }
            first = number == 0 ? request.timestampMillis() : first;
            long due = start + (long) ((request.timestampMillis() - first) * 1e6 / options.speedup());
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            room.acquire();
            if (tally.count(ReplayFlaw.FAILED) >= MOST_FAILURES) {
                return false;
            }
            tally.late.addSince(due);
            threads.execute(() -> serve(work, request, room));
        }
        return true;
    }

    private static void serve(ReplayedRequest work, TraceRequest request, Semaphore room) {
        try {
            work.run(request.hashIds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            room.release();
        }
    }
}
