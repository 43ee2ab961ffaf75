package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One way to move blocks, and one thing that was done with it. GB are 10^9 bytes of blocks.
 *
 * @param besideBusyThread whether another thread of the process wanted the GIL all the time
 * @param rounds in the order they were measured
 */
record PythonCase(PythonPeer peer, PythonOperation operation, boolean besideBusyThread, List<PythonRound> rounds) {
    /** The two operations. */
    enum PythonOperation {
        READ,
        WRITE;

        @JsonValue
        String key() {
            return this == READ ? "read" : "write";
        }
    }

    /**
     * One measurement.
     *
     * @param clientCpuSecondsPerGb processor time of the client's process, the busy thread apart
     */
    record PythonRound(double gbPerSecond, double clientCpuSecondsPerGb) {
        static PythonRound of(long bytes, double seconds, double cpuSeconds) {
            return new PythonRound(bytes / seconds / GIGABYTE, cpuSeconds / (bytes / GIGABYTE));
        }
    }

    private static final double GIGABYTE = 1e9;

    PythonCase {
        rounds = List.copyOf(rounds);
    }

    @JsonProperty
    Spread gbPerSecond() {
        return spread(PythonRound::gbPerSecond);
    }

    @JsonProperty
    Spread clientCpuSecondsPerGb() {
        return spread(PythonRound::clientCpuSecondsPerGb);
    }

    private Spread spread(ToDoubleFunction<PythonRound> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }

    @JsonIgnore
    boolean is(PythonPeer one, PythonOperation what, boolean busy) {
        return peer == one && operation == what && besideBusyThread == busy;
    }
}
