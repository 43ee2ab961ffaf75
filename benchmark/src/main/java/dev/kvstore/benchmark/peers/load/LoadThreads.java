package dev.kvstore.benchmark.peers.load;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.CpuClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Callers that do an operation again and again, each in a platform thread of its own. What counts is what arrives, and
 * what processors do, between two moments at which all of them are busy; so neither their start nor their end does.
 *
 * @param server process id of who answers
 */
record LoadThreads(PeerLoad load, long server) {
    private static final double SECOND = 1e9;
    private static final long MOST_SECONDS = 60;

    /** Reads the counter and the clocks. Only the difference of two readings has a meaning. */
    private LoadMeasurement now(LongAdder bytes) {
        return new LoadMeasurement(
                bytes.sum(),
                System.nanoTime() / SECOND,
                CpuClock.of(ProcessHandle.current()).toNanos() / SECOND,
                ProcessHandle.of(server).map(CpuClock::of).orElse(Duration.ZERO).toNanos() / SECOND);
    }

    /**
     * Measures. Ends early if the load has moved its most bytes, or a caller failed.
     *
     * @param lead how long callers run before anything counts
     * @throws IllegalStateException if a caller failed; its cause is a {@link BadBlockException} if a block was missing
     *     or wrong
     * @throws BadBlockException if nothing arrived
     */
    LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        LongAdder bytes = new LongAdder();
        long most = load.mostBytes(operation);
        List<PeerLoad.LoadClient> callers = new ArrayList<>();
        try (CallLoad calls = CallLoad.onPlatformThreads()) {
            for (int i = 0; i < clients; i++) {
                callers.add(load.caller(operation));
            }
            callers.forEach(caller -> calls.until(1, _ -> {
                caller.once(bytes);
                return bytes.sum() >= most;
            }));
            LoadMeasurement measurement = window(calls, bytes, lead, time);
            calls.end();
            if (measurement.bytes() == 0) {
                throw new BadBlockException("nothing arrived within " + MOST_SECONDS + " s");
            }
            return measurement;
        } finally {
            for (PeerLoad.LoadClient caller : callers) {
                caller.close();
            }
        }
    }

    /** Measures between two moments. While no byte has come, the second is put off, for a minute at most. */
    private LoadMeasurement window(CallLoad calls, LongAdder bytes, Duration lead, Duration time)
            throws InterruptedException {
        var _ = calls.isStoppedWithin(lead);
        LoadMeasurement start = now(bytes);
        boolean ended = calls.isStoppedWithin(time);
        while (!ended && bytes.sum() == start.bytes() && now(bytes).minus(start).seconds() < MOST_SECONDS) {
            ended = calls.isStoppedWithin(time);
        }
        return now(bytes).minus(start);
    }
}
