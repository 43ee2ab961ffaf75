package dev.kvstore.benchmark.peers.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Callers that do an operation again and again, each in a platform thread of its own. What counts is what arrives, and what
 * processors do, between two moments at which all of them are busy; so neither their start nor their end does.
 */
final class Clients {
    private static final double SECOND = 1e9;
    private static final Duration MOST_WITHOUT_BYTES = Duration.ofMinutes(1);

    private final Load load;
    private final long server;

    /** @param server process id of who answers */
    Clients(Load load, long server) {
        this.load = load;
        this.server = server;
    }

    /** A moment: what had happened by then. */
    private record Mark(long nanos, long bytes, double clientCpu, double serverCpu) {
        static Mark now(LongAdder bytes, long server) {
            return new Mark(System.nanoTime(), bytes.sum(), CpuTime.ofThis(), CpuTime.of(server));
        }

        Measurement until(Mark end) {
            return new Measurement(
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
     * @throws FlawException if a block was missing or wrong
     */
    Measurement run(Operation operation, int clients, Duration lead, Duration time) throws Exception {
        LongAdder bytes = new LongAdder();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        CountDownLatch over = new CountDownLatch(1);
        long most = load.mostBytes(operation);
        List<Thread> threads = new ArrayList<>();
        List<Load.Caller> callers = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                callers.add(load.caller(operation));
            }
            for (Load.Caller caller : callers) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        while (over.getCount() > 0 && bytes.sum() < most) {
                            caller.once(bytes);
                        }
                    } catch (Exception e) {
                        var _ = failure.compareAndSet(null, e);
                    } finally {
                        over.countDown();
                    }
                }));
            }
            var _ = over.await(lead.toNanos(), TimeUnit.NANOSECONDS);
            Mark start = Mark.now(bytes, server);
            boolean ended = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
            while (!ended
                    && bytes.sum() == start.bytes()
                    && System.nanoTime() - start.nanos() < MOST_WITHOUT_BYTES.toNanos()) {
                ended = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
            }
            Mark end = Mark.now(bytes, server);
            return measured(start.until(end), over, threads, failure);
        } finally {
            over.countDown();
            for (Load.Caller caller : callers) {
                caller.close();
            }
        }
    }

    private static Measurement measured(
            Measurement measurement,
            CountDownLatch over,
            List<Thread> threads,
            AtomicReference<@Nullable Exception> failure)
            throws Exception {
        over.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        if (measurement.bytes() == 0) {
            throw new FlawException("nothing arrived within " + MOST_WITHOUT_BYTES.toSeconds() + " s");
        }
        return measurement;
    }
}
