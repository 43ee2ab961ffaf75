package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where a limit is measured, and who hears of it.
 *
 * @param folder its own, on a disk
 * @param findings receive the figures
 * @param flaws take what failed, in a sentence each
 */
record LimitScene(
        Home home,
        Limit limit,
        Path folder,
        LimitsOptions options,
        Programs programs,
        LimitFindings findings,
        Consumer<String> flaws,
        BenchProgress progress) {
    /**
     * The cases of a run and their times.
     *
     * @param folder on a disk, for storage and disk tiers
     * @param clients of which the best counts, where a figure is one at its best
     * @param starts of a data plane
     * @param leftBlocks on the disk of one that starts
     * @param slowed how much later data planes answer than they would
     * @param strict whether a goal that is missed fails the run
     */
    record LimitsOptions(
            List<Limit> limits,
            Path folder,
            List<Integer> clients,
            RoundPlan plan,
            int starts,
            int leftBlocks,
            Duration slowed,
            boolean strict) {}

    /**
     * One thing that is measured again and again.
     *
     * @param work measures for some time, and verifies its result
     */
    record LimitCase(String what, int clients, CaseWork work) {
        @Override
        public String toString() {
            return what + (clients == 1 ? ", 1 client" : ", " + clients + " clients");
        }
    }

    /** Runs a case once. */
    @FunctionalInterface
    interface CaseWork {
        Map<Quantity, Double> measure(Duration time) throws IOException, InterruptedException;
    }

    /** Measures cases in turn. */
    void run(List<LimitCase> cases) throws InterruptedException {
        RoundPlan plan = options.plan();
        progress.plan(Rounds.steps(cases.size(), plan.rounds()));
        Rounds<LimitCase, Map<Quantity, Double>> rounds = new Rounds<>(progress, flaws);
        try {
            rounds.run(
                    cases, plan.rounds(), (one, round) -> one.work().measure(round == 0 ? plan.warmUp() : plan.time()));
        } finally {
            // In the order of quantities.
            rounds.found()
                    .forEach((one, results) -> results.forEach(result -> new TreeMap<>(result)
                            .forEach((quantity, value) -> add(one.what(), one.clients(), quantity, value))));
        }
    }

    /** One round's value of one thing. */
    void add(String what, int clients, Quantity quantity, double value) {
        findings.add(limit, what, clients, quantity, value);
    }

    /** Something else is done. */
    void say(String what) {
        progress.accept(limit + ": " + what);
    }
}
