package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/**
 * Everything that {@code kv bench python} found, with the names that the JSON has.
 *
 * @param missing peers that were not measured, and why
 * @param flaws everything that was missing, wrong or failed, in a sentence each
 * @param interrupted whether it was ended before all was measured
 */
record PythonReport(
        PythonConditions conditions,
        List<PythonCase> cases,
        List<PythonGoal> goals,
        List<MissingPythonPeer> missing,
        List<String> flaws,
        boolean interrupted)
        implements BenchReport {
    /**
     * The conditions of all cases.
     *
     * @param loadBefore load average of the machine in the minute before; below 0 where it does not tell
     * @param loadAfter load average at the end, to which this benchmark adds some
     * @param storage the storage in which KV Store's blocks were durable
     */
    record PythonConditions(
            String system,
            int processors,
            String python,
            double loadBefore,
            double loadAfter,
            double seconds,
            int rounds,
            int blockBytes,
            int blocksPerBatch,
            String storage) {}

    /** A peer that was not measured because the machine does not have it. */
    record MissingPythonPeer(PythonPeer peer, String why) {}

    PythonReport {
        cases = List.copyOf(cases);
        goals = List.copyOf(goals);
        missing = List.copyOf(missing);
        flaws = List.copyOf(flaws);
    }

    /** A peer that is missing does not fail a run, and neither does a goal; a block that is wrong does. */
    @Override
    public boolean holds() {
        return flaws.isEmpty() && !interrupted;
    }

    @Override
    public String text() {
        return PythonTable.of(this);
    }

    @Override
    public ReportPage page(String command) {
        return PythonPage.of(this, command);
    }
}
