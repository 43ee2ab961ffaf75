package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;

/**
 * The figures of one case, with the names that the JSON has. GB are 10^9 bytes of payload.
 *
 * @param rounds how many measurements
 * @param cpuSecondsPerGb of client and server together; 0 where the system does not tell
 * @param noise another run's median is between this one over {@code 1 + noise} and this one times that; 0 for one round
 */
record CaseFigures(
        ComparedSystem peer,
        PeerOperation operation,
        int blockBytes,
        int clients,
        int rounds,
        Spread gbPerSecond,
        Spread cpuSecondsPerGb,
        double clientCpuSecondsPerGb,
        double serverCpuSecondsPerGb,
        double noise) {
    /**
     * The figures of some rounds.
     *
     * @param rounds one or more
     * @param typicalNoise of all cases of the run, which no case's noise is below: few rounds may agree by chance
     */
    static CaseFigures of(PeerCase measured, List<LoadMeasurement> rounds, double typicalNoise) {
        return new CaseFigures(
                measured.peer(),
                measured.operation(),
                measured.blockBytes(),
                measured.clients(),
                rounds.size(),
                rate(rounds),
                Spread.of(rounds, one -> one.clientCpuSecondsPerGigabyte() + one.serverCpuSecondsPerGigabyte()),
                Spread.of(rounds, LoadMeasurement::clientCpuSecondsPerGigabyte).median(),
                Spread.of(rounds, LoadMeasurement::serverCpuSecondsPerGigabyte).median(),
                Math.max(rate(rounds).deviation(), typicalNoise));
    }

    /** The peer and its operation, for people. */
    String way() {
        return peer.title() + ", " + operation;
    }

    /** GB/s of some rounds. */
    static Spread rate(List<LoadMeasurement> rounds) {
        return Spread.of(rounds, LoadMeasurement::gigabytesPerSecond);
    }
}
