package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.Measurement;
import dev.kvstore.benchmark.peers.load.Operation;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was found for one case, with the names that the JSON has. GB are 10^9 bytes of payload.
 *
 * @param rounds how many measurements
 * @param cpuSecondsPerGb of client and server together; 0 where the system does not tell
 * @param noise another run's median is between this one over {@code 1 + noise} and this one times that; 0 for one round
 */
record CaseFigures(
        Peer peer,
        Operation operation,
        int blockBytes,
        int clients,
        int rounds,
        Spread gbPerSecond,
        Spread cpuSecondsPerGb,
        double clientCpuSecondsPerGb,
        double serverCpuSecondsPerGb,
        double noise) {
    /** @param rounds one or more */
    static CaseFigures of(Case measured, List<Measurement> rounds) {
        Spread rate = spread(rounds, Measurement::gigabytesPerSecond);
        return new CaseFigures(
                measured.peer(),
                measured.operation(),
                measured.blockBytes(),
                measured.clients(),
                rounds.size(),
                rate,
                spread(rounds, round -> round.clientCpuSecondsPerGigabyte() + round.serverCpuSecondsPerGigabyte()),
                spread(rounds, Measurement::clientCpuSecondsPerGigabyte).median(),
                spread(rounds, Measurement::serverCpuSecondsPerGigabyte).median(),
                rate.deviation());
    }

    private static Spread spread(List<Measurement> rounds, ToDoubleFunction<Measurement> figure) {
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
