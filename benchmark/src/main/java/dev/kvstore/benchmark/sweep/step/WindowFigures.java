package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The work of clients while they were measured: of one process in one window (a line of JSON), or of several together.
 *
 * @param latencies by what took so long
 * @param counts of what is not there, there was nothing
 */
public record WindowFigures(
        double seconds, Map<Timed, Latencies> latencies, Map<LoadCount, Long> counts, FaultCounts faults) {
    /** Something that takes time. */
    public enum Timed {
        LOOKUP,
        READ,
        /** A block, until it is acknowledged. */
        WRITE,
        ITERATION,
        /** Of a StreamingRead, from asking for a prompt to its first block. */
        FIRST_BLOCK
    }

    /** Something that is counted. */
    public enum LoadCount {
        BYTES_READ,
        BYTES_WRITTEN,
        /** Of the blocks read, those compared byte for byte. */
        COMPARED,
        /** Calls that were still refused for overload after the SDK's retries. */
        REFUSED,
        /** Attempts of the SDK beyond the first. */
        RETRIES
    }

    /** The figures of several, with a time of their own. */
    public static WindowFigures together(List<WindowFigures> all, double seconds) {
        Map<Timed, Latencies> latencies = new EnumMap<>(Timed.class);
        Map<LoadCount, Long> counts = new EnumMap<>(LoadCount.class);
        for (WindowFigures one : all) {
            one.latencies.forEach((what, more) ->
                    latencies.computeIfAbsent(what, _ -> new Latencies()).add(more));
            one.counts.forEach((what, more) -> counts.merge(what, more, Long::sum));
        }
        FaultCounts faults = all.stream().map(WindowFigures::faults).reduce(FaultCounts.NONE, FaultCounts::plus);
        return new WindowFigures(seconds, latencies, counts, faults);
    }

    public long count(LoadCount what) {
        return counts.getOrDefault(what, 0L);
    }

    /** The latencies of these together. */
    public Latencies of(Timed... these) {
        Latencies all = new Latencies();
        for (Timed what : these) {
            all.add(latencies.getOrDefault(what, new Latencies()));
        }
        return all;
    }

    /** Latencies of all operations together. */
    public Latencies overall() {
        return of(Timed.LOOKUP, Timed.READ, Timed.WRITE);
    }

    /**
     * Operations by those that an iteration has: smoother than counting whole ones, and the same in the long run.
     *
     * @param results latencies of Lookups, Reads and Writes that an iteration has
     */
    public double iterationsPerSecond(int results) {
        return overall().percentiles().count() / (double) results / seconds;
    }
}
