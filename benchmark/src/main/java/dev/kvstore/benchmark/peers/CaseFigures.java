package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;

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
    /** @param rounds one or more */
    static CaseFigures of(PeerCase measured, List<LoadMeasurement> rounds) {
        Spread rate = spread(rounds, LoadMeasurement::gigabytesPerSecond);
        return new CaseFigures(
                measured.peer(),
                measured.operation(),
                measured.blockBytes(),
                measured.clients(),
                rounds.size(),
                rate,
                spread(rounds, round -> round.clientCpuSecondsPerGigabyte() + round.serverCpuSecondsPerGigabyte()),
                spread(rounds, LoadMeasurement::clientCpuSecondsPerGigabyte).median(),
                spread(rounds, LoadMeasurement::serverCpuSecondsPerGigabyte).median(),
                rate.deviation());
    }

    private static Spread spread(List<LoadMeasurement> rounds, ToDoubleFunction<LoadMeasurement> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }

    /** The same with what a whole run tells of noise: few rounds may agree by chance. */
    CaseFigures withNoiseOfAtLeast(double typical) {
        return new CaseFigures(
                peer,
                operation,
                blockBytes,
                clients,
                rounds,
                gbPerSecond,
                cpuSecondsPerGb,
                clientCpuSecondsPerGb,
                serverCpuSecondsPerGb,
                Math.max(noise, typical));
    }
}
