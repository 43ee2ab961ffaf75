package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.Page;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls and time that attacks cost an honest client. The components have the names of the JSON.
 *
 * @param pairs of quiet and attack, of each attack
 * @param seconds of each half of a pair
 * @param interrupted whether it was stopped before the last attack
 */
record AttackReport(int pairs, int seconds, List<Case> cases, boolean interrupted) implements BenchReport {
    private static final double MOST_RATIO = 3;
    private static final double MEGABYTE = 1e6;

    /** Quiet, and the attack after it. */
    record Pair(HonestClient.Window quiet, HonestClient.Window attacked) {
        double ratio() {
            return attacked.p99Millis() / quiet.p99Millis();
        }
    }

    /**
     * Resident memory.
     *
     * @param bytes the most that was seen
     * @param mostBytes the documented bound
     */
    record Memory(long bytes, long mostBytes) {}

    /**
     * An attack.
     *
     * @param attacker its requests, and what it won by them
     * @param memory of the attacked process
     * @param alive whether it still ran in the end
     * @param first the attack before the pairs, of which calls count and times do not: the programs have just started
     */
    record Case(
            String name,
            String text,
            Attacker.Outcome attacker,
            Memory memory,
            boolean alive,
            HonestClient.Window first,
            List<Pair> pairs) {
        private Stream<HonestClient.Window> attacked() {
            return Stream.concat(Stream.of(first), pairs.stream().map(Pair::attacked));
        }

        int lost() {
            return attacked().mapToInt(HonestClient.Window::lost).sum();
        }

        int calls() {
            return attacked().mapToInt(HonestClient.Window::calls).sum();
        }

        /** The median of the pairs' ratios of the 99th percentiles, attack by quiet. */
        double ratio() {
            List<Double> ratios = pairs.stream().map(Pair::ratio).sorted().toList();
            return ratios.isEmpty() ? Double.NaN : ratios.get(ratios.size() / 2);
        }

        /** Whether the honest client lost nothing and noticed little, something was tried and nothing won, and memory was bounded. */
        boolean holds() {
            return alive
                    && attacker.done() > 0
                    && attacker.won() == 0
                    && lost() == 0
                    && ratio() <= MOST_RATIO
                    && memory.bytes() <= memory.mostBytes();
        }

        String firstFailure() {
            return attacked()
                    .map(HonestClient.Window::firstFailure)
                    .filter(failure -> !failure.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }

    @Override
    public boolean holds() {
        return !interrupted && !cases.isEmpty() && cases.stream().allMatch(Case::holds);
    }

    @Override
    public String text() {
        return "%-28s %12s %8s %16s %10s %10s\n".formatted("attack", "done", "won", "honest: lost", "p99 ratio", "MB")
                + cases.stream().map(AttackReport::line).collect(Collectors.joining())
                + (holds()
                        ? "The honest client lost no call, its p99 stayed within 3x of the quiet time before, and no process took more memory than documented.\n"
                        : "FAILED: an honest client noticed, an attacker won something or did nothing, a process took more memory than documented, or the run was stopped early.\n");
    }

    private static String line(Case one) {
        return String.format(
                Locale.ROOT,
                "%-28s %12d %8d %9d of %3d %10.2f %10.0f%s\n",
                one.name(),
                one.attacker().done(),
                one.attacker().won(),
                one.lost(),
                one.calls(),
                one.ratio(),
                one.memory().bytes() / MEGABYTE,
                one.holds() ? "" : "  FAILED" + (one.alive() ? "" : ", the process died") + " " + one.firstFailure());
    }

    @Override
    public Page page(String command) {
        Figure.Table table = new Figure.Table(
                "Attacks, and an honest client's 20 calls a second",
                List.of(
                        "attack",
                        "what is done",
                        "done",
                        "won",
                        "honest calls",
                        "lost",
                        "p99, attack by quiet",
                        "MB resident"),
                cases.stream()
                        .map(one -> List.of(
                                one.name(),
                                one.text(),
                                Numbers.text(one.attacker().done()),
                                Numbers.text(one.attacker().won()),
                                Numbers.text(one.calls()),
                                Numbers.text(one.lost()),
                                Numbers.text(one.ratio()),
                                Numbers.text(one.memory().bytes() / MEGABYTE)))
                        .toList());
        return new Page(
                "Attack",
                holds()
                        ? "No attack won anything, or cost an honest client a call, or more than 3x of its 99th percentile."
                        : "An attack won something, cost an honest client calls or time, or did nothing.",
                List.of(new Page.Section("Attacks", "", List.of(table))));
    }
}
