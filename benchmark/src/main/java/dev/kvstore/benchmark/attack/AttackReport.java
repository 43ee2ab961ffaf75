package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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
     * Processors used on average, of which 1 is all of one core.
     *
     * @param database PostgreSQL's
     */
    record Cores(double dataPlane, double controlPlane, double database) {
        private double sum() {
            return dataPlane + controlPlane + database;
        }
    }

    /**
     * Some seconds, quiet or attacked.
     *
     * @param admin null where none called
     * @param cores that the attacked programs used
     */
    record Half(HonestCalls.CallWindow client, HonestCalls.@Nullable CallWindow admin, Cores cores) {}

    /** Quiet, and the attack after it. */
    record QuietAndAttack(Half quiet, Half attacked) {
        private double ratio(Function<Half, HonestCalls.@Nullable CallWindow> user) {
            return p99(user.apply(attacked)) / p99(user.apply(quiet));
        }

        private static double p99(HonestCalls.@Nullable CallWindow window) {
            return window == null ? Double.NaN : window.p99Millis();
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
        private Stream<HonestCalls.CallWindow> users() {
            return Stream.concat(Stream.of(first), pairs.stream().map(QuietAndAttack::attacked))
                    .flatMap(half -> Stream.of(half.client, half.admin))
                    .filter(Objects::nonNull);
        }

        int lost() {
            return users().mapToInt(HonestCalls.CallWindow::lost).sum();
        }

        int calls() {
            return users().mapToInt(HonestCalls.CallWindow::calls).sum();
        }

        /** The median of the pairs' ratios of the client's 99th percentiles, attack by quiet. */
        double clientRatio() {
            return median(pair -> pair.ratio(Half::client));
        }

        /** The same of the admin's; 0 where no admin called. */
        double adminRatio() {
            return first.admin == null ? 0 : median(pair -> pair.ratio(Half::admin));
        }

        /**
         * Processors that the attack takes: processors that the stack uses under attack, less processors that it uses
         * in quiet; median of the pairs.
         */
        @JsonProperty
        double coresTaken() {
            return median(pair -> pair.attacked.cores.sum() - pair.quiet.cores.sum());
        }

        private double median(ToDoubleFunction<QuietAndAttack> figure) {
            double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
            return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
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
    }

    private static final List<Column<AttackCase>> COLUMNS = List.of(
            Column.of("attack", AttackCase::name),
            Column.of("done", one -> one.attacker.done()),
            Column.of("won", one -> one.attacker.won()),
            Column.of("lost", one -> one.lost() + " of " + one.calls()),
            Column.of("p99 ratio", AttackCase::clientRatio),
            Column.of("of an admin", one -> one.first.admin == null ? null : one.adminRatio()),
            Column.of("cores taken", AttackCase::coresTaken),
            Column.of("resident", "MB", one -> one.memory.bytes() / MEGABYTE));

    private static final List<Column<AttackCase>> TEXTS =
            List.of(Column.of("attack", AttackCase::name), Column.of("what is done", AttackCase::text));

    @Override
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (AttackCase one : cases) {
            if (!one.holds()) {
                failures.add(one.name
                        + ": an honest user noticed, the attacker won something or did nothing, or the process died or took"
                        + " more memory than documented. "
                        + one.firstFailure());
            }
        }
        unmeasured.forEach(one -> failures.add(one.name + ": NOT MEASURED: " + one.reason));
        if (interrupted || cases.isEmpty()) {
            failures.add("the run was stopped early");
        }
        return failures;
    }

    @Override
    public ReportPage page(String command) {
        return new ReportPage(
                "Attack",
                holds()
                        ? "The honest users lost no call, their p99 stayed within 3x of the quiet time before, and no process took more memory than documented."
                        : "An attack won something, cost an honest user calls or time, or did nothing.",
                List.of(new ReportPage.Section(
                        "Attacks, and honest users' calls",
                        "Lost calls are of honest users, and so are ratios: p99 under attack by p99 in quiet.",
                        List.of(Figure.Table.of("", COLUMNS, cases), Figure.Table.of("", TEXTS, cases)))));
    }
}
