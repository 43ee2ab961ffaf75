package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A goal of the Python client, beside its figure.
 *
 * @param name in the JSON
 * @param atLeast whether the goal is the least or the most that the figure may be
 * @param value of each round, so that both sides of a ratio had the same machine; their median decides
 */
record PythonGoal(String name, String text, double goal, boolean atLeast, Spread value, boolean reached) {
    /** All goals of which both sides were measured. */
    static List<PythonGoal> of(List<PythonCase> cases) {
        return Stream.of(
                        ratio(cases, PythonPeer.KVSTORE, PythonPeer.TCP, false, "readVsTcp", 0.8),
                        ratio(cases, PythonPeer.KVSTORE, PythonPeer.MOONCAKE, false, "readVsMooncake", 1.3),
                        ratio(cases, PythonPeer.AGENT, PythonPeer.MOONCAKE, true, "busyAgentVsMooncake", 2),
                        ratio(cases, PythonPeer.AHEAD, PythonPeer.MOONCAKE, true, "busyAheadVsMooncake", 2),
                        processor(cases, PythonPeer.KVSTORE, "readCpu", 0.35),
                        processor(cases, PythonPeer.UNVERIFIED, "readUnverifiedCpu", 0.2))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<PythonGoal> ratio(
            List<PythonCase> cases, PythonPeer one, PythonPeer other, boolean busy, String name, double goal) {
        String text = "reading%s, GB/s of %s / %s".formatted(busy ? " busy" : "", one.title(), other.title());
        return read(cases, one, busy)
                .flatMap(our -> read(cases, other, busy).map(their -> {
                    int rounds = Math.min(our.rounds().size(), their.rounds().size());
                    Spread value = Spread.of(IntStream.range(0, rounds)
                            .mapToDouble(i -> our.rounds().get(i).gbPerSecond()
                                    / their.rounds().get(i).gbPerSecond())
                            .toArray());
                    return new PythonGoal(name, text, goal, true, value, value.median() >= goal);
                }));
    }

    private static Optional<PythonGoal> processor(List<PythonCase> cases, PythonPeer peer, String name, double goal) {
        return read(cases, peer, false).map(PythonCase::clientCpuSecondsPerGb).map(value -> {
            String text = "reading, client's CPU s/GB of " + peer.title();
            return new PythonGoal(name, text, goal, false, value, value.median() <= goal);
        });
    }

    private static Optional<PythonCase> read(List<PythonCase> cases, PythonPeer peer, boolean busy) {
        return cases.stream()
                .filter(one ->
                        one.peer() == peer && one.operation() == PythonOperation.READ && one.besideBusyThread() == busy)
                .findFirst();
    }
}
