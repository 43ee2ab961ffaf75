package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.limits.Goal.GoalVerdict;
import dev.kvstore.benchmark.limits.LimitFindings.MeasuredCase;
import dev.kvstore.benchmark.limits.LimitScene.LimitsOptions;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that was found, with the names that the JSON has.
 *
 * @param figures the figures, in this order
 * @param goals the goals of the chosen limits, beside the figures that were found
 * @param flaws everything that was missing, wrong or failed, in a sentence each
 * @param interrupted whether it was ended before all was measured
 */
record LimitsReport(
        LimitsConditions conditions,
        List<MeasuredCase> figures,
        List<GoalVerdict> goals,
        List<MissingProgram> missing,
        List<String> flaws,
        boolean interrupted)
        implements BenchReport {
    /**
     * The conditions of all figures.
     *
     * @param loadAverage of the machine in the minute before; below 0 where it does not tell
     * @param fileSystem of the folder that storage and disk tiers are in
     * @param leftBlocks on the disk of the data plane that starts with some
     * @param slowedMillis how much later data planes were made to answer; 0 unless somebody tries the benchmark itself
     * @param strict whether a goal that is missed fails the run
     */
    record LimitsConditions(
            String system,
            int processors,
            String java,
            double loadAverage,
            double warmUpSeconds,
            double seconds,
            int rounds,
            int starts,
            int leftBlocks,
            String fileSystem,
            long slowedMillis,
            boolean strict) {
        private String text() {
            String slowed =
                    slowedMillis == 0 ? "" : "\nEvery data plane was made to answer " + slowedMillis + " ms later.";
            String text = """
                    %s, %d processors for clients, data planes and storage together, Java %s, load before %.2f
                    Warmed up for %.0f s, then %d interleaved rounds of %.0f s.
                    GB are 10^9 bytes of payload; a block has 1,200,000.
                    Storage and disk tiers are on %s. Starts: %d each, %,d blocks left on the disk of one.""";
            return Numbers.format(
                            text,
                            system,
                            processors,
                            java,
                            loadAverage,
                            warmUpSeconds,
                            rounds,
                            seconds,
                            fileSystem,
                            starts,
                            leftBlocks)
                    + slowed;
        }

        static LimitsConditions of(LimitsOptions options, double loadAverage) throws IOException {
            return new LimitsConditions(
                    System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors(),
                    Runtime.version().toString(),
                    loadAverage,
                    options.plan().warmUpSeconds(),
                    options.plan().seconds(),
                    options.plan().rounds(),
                    options.starts(),
                    options.leftBlocks(),
                    Files.getFileStore(options.folder()).type(),
                    options.slowed().toMillis(),
                    options.strict());
        }
    }

    static LimitsReport of(
            LimitsOptions options,
            double loadAverage,
            LimitFindings findings,
            List<MissingProgram> missing,
            List<String> flaws,
            boolean interrupted)
            throws IOException {
        List<GoalVerdict> goals = Goal.ALL.stream()
                .filter(goal -> options.limits().contains(goal.limit()))
                .map(goal -> goal.verdict(findings))
                .toList();
        return new LimitsReport(
                LimitsConditions.of(options, loadAverage), findings.all(), goals, missing, flaws, interrupted);
    }

    /** A program that a limit is held against, and the machine does not have. */
    record MissingProgram(Limit limit, String program, String debianPackage) {
        /** The programs for these limits that this machine lacks. */
        static List<MissingProgram> of(List<Limit> limits, Programs programs) {
            PeerProgram fio = PeerProgram.FIO;
            return limits.contains(Limit.DISK) && !programs.paths().containsKey(fio)
                    ? List.of(new MissingProgram(Limit.DISK, fio.command(), fio.debianPackage()))
                    : List.of();
        }

        @Override
        public String toString() {
            return limit + ": no " + program + "; install " + debianPackage;
        }
    }

    private static final List<Column<MeasuredCase>> FIGURES = List.of(
            Column.of("operation", MeasuredCase::what),
            Column.of("clients", one -> one.clients() == 0 ? null : one.clients()),
            Column.of("", MeasuredCase::spread),
            Column.of("unit", MeasuredCase::quantity));

    private static final List<Column<GoalVerdict>> GOALS = List.of(
            Column.of("figure", GoalVerdict::text),
            Column.of("unit", GoalVerdict::quantity),
            Column.of("goal", goal -> (goal.atLeast() ? ">= " : "<= ") + Numbers.text(goal.bound())),
            Column.of("found", GoalVerdict::found),
            Column.of("outcome", GoalVerdict::outcome));

    /** A goal that is missed fails only a run whose goals are strict; a program that is missing fails none. */
    @Override
    public List<String> failures() {
        List<String> failures = new ArrayList<>(flaws);
        if (conditions.strict()) {
            goals.stream()
                    .filter(GoalVerdict::isMissed)
                    .forEach(goal -> failures.add(goal.text() + ": " + goal.outcome()));
        }
        if (interrupted) {
            failures.add("INTERRUPTED: what is above is what there was by then.");
        }
        return failures;
    }

    @Override
    public ReportPage page(String command) {
        List<GoalVerdict> found =
                goals.stream().filter(goal -> goal.found() != null).toList();
        long reached = found.stream().filter(goal -> !goal.isMissed()).count();
        String right = "Every block that was compared, read or written, had every byte that it should have. ";
        String nearness =
                "Nearness is what was found over the goal where more is better, and the goal over what was found"
                        + " where less is: from 1 on a goal is reached.";
        Stream<String> lacking = missing.stream().map(one -> "MISSING " + one + "\n\n");
        List<ReportPage.Section> sections = new ArrayList<>();
        sections.add(new ReportPage.Section(
                "Goals",
                lacking.collect(Collectors.joining()) + nearness,
                List.of(
                        Figure.Bars.of("Nearness to the goal", "", found, GoalVerdict::nearness),
                        Figure.Table.of("", GOALS, goals))));
        figures.stream().map(MeasuredCase::limit).distinct().forEach(limit -> sections.add(section(limit)));
        sections.add(new ReportPage.Section("Conditions", conditions.text(), List.of()));
        return new ReportPage(
                "Limits",
                (flaws.isEmpty() && !interrupted ? right : "")
                        + "Of %d goals %d were measured and %d reached.".formatted(goals.size(), found.size(), reached),
                sections);
    }

    private ReportPage.Section section(Limit limit) {
        List<Figure> parts = new ArrayList<>();
        List<MeasuredCase> all =
                figures.stream().filter(one -> one.limit() == limit).toList();
        all.stream()
                .collect(Collectors.groupingBy(MeasuredCase::quantity, LinkedHashMap::new, Collectors.toList()))
                .forEach((quantity, some) -> parts.add(Figure.Bars.of(
                        limit.title() + ", " + quantity,
                        quantity.toString(),
                        some,
                        one -> Figure.Bar.of(one.what(), one.atClients(), one.spread()))));
        parts.add(Figure.Table.of("", FIGURES, all));
        return new ReportPage.Section(limit.title(), "", parts);
    }
}
