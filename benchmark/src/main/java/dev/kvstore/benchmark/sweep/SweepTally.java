package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.benchmark.sweep.step.WindowFigures.LoadCount;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The work of the clients of one process in one window. Thread-safe. */
final class SweepTally {
    final MeasuringWindow window;
    private final Map<Timed, Latencies> latencies = new ConcurrentHashMap<>();
    private final Map<LoadCount, Long> counts = new ConcurrentHashMap<>();
    private FaultCounts faults = FaultCounts.NONE;

    SweepTally(MeasuringWindow window) {
        this.window = window;
    }

    /**
     * Something has ended now.
     *
     * @param start when it was due, in readings of {@link System#nanoTime}
     * @return whether that was in the window, and counts
     */
    boolean add(Timed what, long start) {
        long now = System.nanoTime();
        if (!window.contains(now)) {
            return false;
        }
        latencies.computeIfAbsent(what, _ -> new Latencies()).add(now - start);
        return true;
    }

    void count(LoadCount what, long more) {
        counts.merge(what, more, Long::sum);
    }

    long count(LoadCount what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Faults count at any time. */
    synchronized void add(FaultCounts more) {
        if (more.all() > 0) {
            faults = faults.plus(more);
        }
    }

    /** All of it, when nothing is added any more. */
    synchronized WindowFigures figures() {
        return WindowFigures.together(
                List.of(new WindowFigures(window.seconds(), latencies, counts, faults)), window.seconds());
    }
}
