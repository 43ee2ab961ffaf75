package dev.kvstore.benchmark.peers.load;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Callers that do an operation again and again, each in a platform thread of its own. What counts is what arrives, and
 * what processors do, between two moments at which all of them are busy; so neither their start nor their end does.
 */
final class LoadThreads {
    private static final double SECOND = 1e9;
    private static final Duration MOST_WITHOUT_BYTES = Duration.ofMinutes(1);

    private final PeerLoad load;
    private final long server;

    /** @param server process id of who answers */
    LoadThreads(PeerLoad load, long server) {
        this.load = load;
        this.server = server;
    }

    /** A moment: what had happened by then. */
    private record Mark(long nanos, long bytes, double clientCpu, double serverCpu) {
        static Mark now(LongAdder bytes, long server) {
            return new Mark(System.nanoTime(), bytes.sum(), CpuTime.ofThis(), CpuTime.of(server));
        }

        LoadMeasurement until(Mark end) {
            return new LoadMeasurement(
                    end.bytes - bytes,
                    (end.nanos - nanos) / SECOND,
                    end.clientCpu - clientCpu,
                    end.serverCpu - serverCpu);
        }
    }

    /**
     * Measures. Ends early if the load has moved its most bytes, or a caller failed.
     *
     * @param lead how long callers run before anything counts
     * @throws ExecutionException if a caller failed; its cause is a {@link BadBlockException} if a block was missing or
     *     wrong
     * @throws BadBlockException if nothing arrived
     */
    LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException, ExecutionException {
        LongAdder bytes = new LongAdder();
        CountDownLatch over = new CountDownLatch(1);
        List<PeerLoad.LoadClient> callers = new ArrayList<>();
        try (ExecutorService threads =
                        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
                Closeable _ = over::countDown) {
            for (int i = 0; i < clients; i++) {
                callers.add(load.caller(operation));
            }
            long most = load.mostBytes(operation);
            List<Future<Void>> ends = new ArrayList<>();
            for (PeerLoad.LoadClient caller : callers) {
                ends.add(threads.submit(again(caller, bytes, most, over)));
            }
            LoadMeasurement measurement = window(bytes, lead, time, over);
            over.countDown();
            for (Future<Void> end : ends) {
                end.get();
            }
            if (measurement.bytes() == 0) {
                throw new BadBlockException("nothing arrived within " + MOST_WITHOUT_BYTES.toSeconds() + " s");
            }
            return measurement;
        } finally {
            for (PeerLoad.LoadClient caller : callers) {
                caller.close();
            }
        }
    }

    private static Callable<Void> again(PeerLoad.LoadClient caller, LongAdder bytes, long most, CountDownLatch over) {
        return () -> {
            try {
                while (over.getCount() > 0 && bytes.sum() < most) {
                    caller.once(bytes);
                }
                return null;
            } finally {
                over.countDown();
            }
        };
    }

    /**
     * Measures between two moments. While no byte has come, the second is put off, for at most
     * {@link #MOST_WITHOUT_BYTES}.
     */
    private LoadMeasurement window(LongAdder bytes, Duration lead, Duration time, CountDownLatch over)
            throws InterruptedException {
        var _ = over.await(lead.toNanos(), TimeUnit.NANOSECONDS);
        Mark start = Mark.now(bytes, server);
        boolean ended = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
        while (!ended
                && bytes.sum() == start.bytes()
                && System.nanoTime() - start.nanos() < MOST_WITHOUT_BYTES.toNanos()) {
            ended = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
        }
        return start.until(Mark.now(bytes, server));
    }
}
