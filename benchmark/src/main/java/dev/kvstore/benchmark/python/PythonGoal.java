package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
        List<PythonGoal> goals = new ArrayList<>();
        PythonPeer client = PythonPeer.KVSTORE;
        ratio(cases, client, PythonPeer.TCP, false, "readVsTcp", 0.8).ifPresent(goals::add);
        ratio(cases, client, PythonPeer.UNPACED, false, "readVsUnpacedTcp", 0.8).ifPresent(goals::add);
        ratio(cases, client, PythonPeer.MOONCAKE, false, "readVsMooncake", 1.3).ifPresent(goals::add);
        ratio(cases, PythonPeer.AGENT, PythonPeer.MOONCAKE, true, "busyAgentVsMooncake", 2)
                .ifPresent(goals::add);
        ratio(cases, PythonPeer.AHEAD, PythonPeer.MOONCAKE, true, "busyAheadVsMooncake", 2)
                .ifPresent(goals::add);
        processor(cases, PythonPeer.KVSTORE, "readCpu", 0.35).ifPresent(goals::add);
        processor(cases, PythonPeer.UNVERIFIED, "readUnverifiedCpu", 0.2).ifPresent(goals::add);
        return List.copyOf(goals);
    }

    private static Optional<PythonGoal> ratio(
            List<PythonCase> cases, PythonPeer one, PythonPeer other, boolean busy, String name, double goal) {
        PythonCase ours = read(cases, one, busy);
        PythonCase theirs = read(cases, other, busy);
        if (ours == null || theirs == null) {
            return Optional.empty();
        }
        int rounds = Math.min(ours.rounds().size(), theirs.rounds().size());
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            ratios[i] =
                    ours.rounds().get(i).gbPerSecond() / theirs.rounds().get(i).gbPerSecond();
        }
        Spread value = Spread.of(ratios);
        String text = "reading%s, GB/s of %s / %s".formatted(busy ? " busy" : "", one.title(), other.title());
        return Optional.of(new PythonGoal(name, text, goal, true, value, value.median() >= goal));
    }

    private static Optional<PythonGoal> processor(List<PythonCase> cases, PythonPeer peer, String name, double goal) {
        PythonCase one = read(cases, peer, false);
        if (one == null) {
            return Optional.empty();
        }
        Spread value = one.clientCpuSecondsPerGb();
        String text = "reading, client's CPU s/GB of " + peer.title();
        return Optional.of(new PythonGoal(name, text, goal, false, value, value.median() <= goal));
    }

    private static @Nullable PythonCase read(List<PythonCase> cases, PythonPeer peer, boolean busy) {
        return cases.stream()
                .filter(one -> one.is(peer, PythonOperation.READ, busy))
                .findFirst()
                .orElse(null);
    }
}
