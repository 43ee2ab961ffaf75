package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Locale;

/**
 * One way to move blocks, and one thing that was done with it. GB are 10^9 bytes of blocks.
 *
 * @param besideBusyThread whether another thread of the process wanted the GIL all the time
 * @param rounds in the order they were measured; none before
 */
record PythonCase(PythonPeer peer, PythonOperation operation, boolean besideBusyThread, List<PythonRound> rounds) {
    private static final double GIGABYTE = 1e9;

    /** The two operations. */
    enum PythonOperation {
        READ,
        WRITE;

        @JsonValue
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One measurement.
     *
     * @param clientCpuSecondsPerGb processor time of the client's process, the busy thread apart
     */
    record PythonRound(double gbPerSecond, double clientCpuSecondsPerGb) {
        /** Of a case that needs no warm-up. */
        static final PythonRound NONE = new PythonRound(0, 0);

        static PythonRound of(long bytes, double seconds, double cpuSeconds) {
            return new PythonRound(bytes / seconds / GIGABYTE, cpuSeconds / (bytes / GIGABYTE));
        }
    }

    PythonCase {
        rounds = List.copyOf(rounds);
    }

    PythonCase with(List<PythonRound> measured) {
        return new PythonCase(peer, operation, besideBusyThread, measured);
    }

    @JsonProperty
    Spread gbPerSecond() {
        return Spread.of(rounds, PythonRound::gbPerSecond);
    }

    @JsonProperty
    Spread clientCpuSecondsPerGb() {
        return Spread.of(rounds, PythonRound::clientCpuSecondsPerGb);
    }

    @Override
    public String toString() {
        return peer.title() + ", " + operation.key() + (besideBusyThread ? " beside a busy thread" : "");
    }
}
