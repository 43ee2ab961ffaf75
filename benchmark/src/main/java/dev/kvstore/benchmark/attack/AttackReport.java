package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls and time that attacks cost honest users, and processors that they cost. The components have the names of the
 * JSON.
 *
 * @param pairs of quiet and attack, of each attack
 * @param seconds of each half of a pair
 * @param unmeasured attacks whose stack did not come up, or whose attacker or honest users could not go on
 * @param interrupted whether it was stopped before the last attack
 */
record AttackReport(int pairs, int seconds, List<AttackCase> cases, List<Unmeasured> unmeasured, boolean interrupted)
        implements BenchReport {
    private static final double MOST_RATIO = 3;
    private static final double MEGABYTE = 1e6;

    /** An attack without figures, and why it has none. */
    record Unmeasured(String name, String reason) {}

    /**
     * Some seconds, quiet or attacked.
     *
     * @param admin null where none called
     * @param cores that the attacked programs used
     */
    record Half(HonestCalls.CallWindow client, HonestCalls.@Nullable CallWindow admin, StackCpu.Cores cores) {
        private Stream<HonestCalls.CallWindow> users() {
            return Stream.of(client, admin).filter(Objects::nonNull);
        }
    }

    /** Quiet, and the attack after it. */
    record QuietAndAttack(Half quiet, Half attacked) {
        double clientRatio() {
            return attacked.client.p99Millis() / quiet.client.p99Millis();
        }

        /** Nothing where no admin called. */
        Optional<Double> adminRatio() {
            return quiet.admin == null || attacked.admin == null
                    ? Optional.empty()
                    : Optional.of(attacked.admin.p99Millis() / quiet.admin.p99Millis());
        }

        double coresTaken() {
            return attacked.cores.sum() - quiet.cores.sum();
        }
    }

    /**
     * Resident memory.
     *
     * @param bytes the most that was seen
     * @param mostBytes the documented bound
     */
    record ResidentMemory(long bytes, long mostBytes) {}

    /**
     * An attack.
     *
     * @param attacker its requests, and the answers that it won by them
     * @param memory of the attacked process
     * @param alive whether it still ran in the end
     * @param first the attack before the pairs, of which calls count and times do not: the programs have just started
     */
    record AttackCase(
            String name,
            String text,
            Attacker.AttackOutcome attacker,
            ResidentMemory memory,
            boolean alive,
            Half first,
            List<QuietAndAttack> pairs) {
        private Stream<Half> attacked() {
            return Stream.concat(Stream.of(first), pairs.stream().map(QuietAndAttack::attacked));
        }

        private Stream<HonestCalls.CallWindow> users() {
            return attacked().flatMap(Half::users);
        }

        int lost() {
            return users().mapToInt(HonestCalls.CallWindow::lost).sum();
        }

        int calls() {
            return users().mapToInt(HonestCalls.CallWindow::calls).sum();
        }

        /** The median of the pairs' ratios of the client's 99th percentiles, attack by quiet. */
        double clientRatio() {
            return median(pairs.stream().map(QuietAndAttack::clientRatio));
        }

        /** The same of the admin's; 0 where no admin called. */
        double adminRatio() {
            return first.admin == null ? 0 : median(pairs.stream().flatMap(pair -> pair.adminRatio().stream()));
        }

        /**
         * Processors that the attack takes: processors that the stack uses under attack, less processors that it uses
         * in quiet; median of the pairs.
         */
        @JsonProperty
        double coresTaken() {
            return median(pairs.stream().map(QuietAndAttack::coresTaken));
        }

        private static double median(Stream<Double> figures) {
            List<Double> sorted = figures.sorted().toList();
            return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
        }

        /**
         * Whether honest users lost nothing and noticed little, something was tried and nothing won, and memory was
         * bounded.
         */
        boolean holds() {
            return alive
                    && attacker.done() > 0
                    && attacker.won() == 0
                    && lost() == 0
                    && clientRatio() <= MOST_RATIO
                    && adminRatio() <= MOST_RATIO
                    && memory.bytes() <= memory.mostBytes();
        }

        String firstFailure() {
            return users().map(HonestCalls.CallWindow::firstFailure)
                    .filter(failure -> !failure.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        private String adminText() {
            return first.admin == null ? "" : Numbers.text(adminRatio());
        }
    }

    @Override
    public boolean holds() {
        return !interrupted
                && unmeasured.isEmpty()
                && !cases.isEmpty()
                && cases.stream().allMatch(AttackCase::holds);
    }

    @Override
    public String text() {
        return "%-28s %12s %8s %16s %10s %10s %12s %8s\n"
                        .formatted(
                                "attack", "done", "won", "honest: lost", "p99 ratio", "of admin", "cores taken", "MB")
                + cases.stream().map(AttackReport::line).collect(Collectors.joining())
                + unmeasured.stream()
                        .map(one -> "%-28s NOT MEASURED: %s\n".formatted(one.name(), one.reason()))
                        .collect(Collectors.joining())
                + (holds()
                        ? "The honest users lost no call, their p99 stayed within 3x of the quiet time before, and no process took more memory than documented.\n"
                        : "FAILED: an honest user noticed, an attacker won something or did nothing, a process took more memory than documented, an attack was not measured, or the run was stopped early.\n");
    }

    private static String line(AttackCase one) {
        return String.format(
                Locale.ROOT,
                "%-28s %12d %8d %9d of %3d %10.2f %10s %12.2f %8.0f%s\n",
                one.name(),
                one.attacker().done(),
                one.attacker().won(),
                one.lost(),
                one.calls(),
                one.clientRatio(),
                one.adminText(),
                one.coresTaken(),
                one.memory().bytes() / MEGABYTE,
                one.holds() ? "" : "  FAILED" + (one.alive() ? "" : ", the process died") + " " + one.firstFailure());
    }

    @Override
    public ReportPage page(String command) {
        Figure.Table table = new Figure.Table(
                "Attacks, and honest users' calls",
                List.of(
                        "attack",
                        "what is done",
                        "done",
                        "won",
                        "honest calls",
                        "lost",
                        "p99 of the client, attack by quiet",
                        "p99 of an admin, attack by quiet",
                        "cores taken",
                        "MB resident"),
                cases.stream()
                        .map(one -> List.of(
                                one.name(),
                                one.text(),
                                Numbers.text(one.attacker().done()),
                                Numbers.text(one.attacker().won()),
                                Numbers.text(one.calls()),
                                Numbers.text(one.lost()),
                                Numbers.text(one.clientRatio()),
                                one.adminText(),
                                Numbers.text(one.coresTaken()),
                                Numbers.text(one.memory().bytes() / MEGABYTE)))
                        .toList());
        return new ReportPage(
                "Attack",
                holds()
                        ? "No attack won anything, or cost an honest user a call, or more than 3x of the 99th percentile."
                        : "An attack won something, cost an honest user calls or time, or did nothing.",
                List.of(new ReportPage.Section("Attacks", "", List.of(table))));
    }
}
