package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

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
    private static final double MILLI = 1e-3;

    LimitsReport {
        figures = List.copyOf(figures);
        goals = List.copyOf(goals);
        missing = List.copyOf(missing);
        flaws = List.copyOf(flaws);
    }

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
        static LimitsConditions of(LimitsOptions options, double loadAverage) throws IOException {
            return new LimitsConditions(
                    System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors(),
                    Runtime.version().toString(),
                    loadAverage,
                    options.warmUp().toMillis() * MILLI,
                    options.time().toMillis() * MILLI,
                    options.rounds(),
                    options.starts(),
                    options.leftBlocks(),
                    Files.getFileStore(options.folder()).type(),
                    options.slowed().toMillis(),
                    options.strict());
        }
    }

    /** @param limits that were wanted */
    static LimitsReport of(
            LimitsConditions conditions,
            List<Limit> limits,
            LimitFindings findings,
            List<MissingProgram> missing,
            List<String> flaws,
            boolean interrupted) {
        List<GoalVerdict> goals = Goal.ALL.stream()
                .filter(goal -> limits.contains(goal.limit()))
                .map(goal -> GoalVerdict.of(goal, findings))
                .toList();
        return new LimitsReport(conditions, findings.all(), goals, missing, flaws, interrupted);
    }

    /**
     * A goal that is missed, or a program that is, does not fail a run, unless goals were to be strict; a wrong block
     * does.
     */
    @Override
    public boolean holds() {
        return flaws.isEmpty()
                && !interrupted
                && !(conditions.strict() && goals.stream().anyMatch(GoalVerdict::isMissed));
    }

    @Override
    public String text() {
        return LimitsTable.of(this);
    }

    @Override
    public ReportPage page(String command) {
        return LimitsPage.of(this, command);
    }
}
