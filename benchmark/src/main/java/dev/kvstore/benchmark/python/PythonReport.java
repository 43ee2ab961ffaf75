package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

    private static final List<Column<PythonCase>> CASES = List.of(
            Column.of("client", one -> one.peer().title()),
            Column.of("beside a busy thread", one -> one.besideBusyThread() ? "yes" : ""),
            Column.of("rate", "GB/s", PythonCase::gbPerSecond),
            Column.of("processor time of the client", "s/GB", PythonCase::clientCpuSecondsPerGb));

    private static final List<Column<PythonGoal>> GOALS = List.of(
            Column.of("goal", PythonGoal::text),
            Column.of("figure", PythonGoal::value),
            Column.of("at least", goal -> goal.atLeast() ? goal.goal() : null),
            Column.of("at most", goal -> goal.atLeast() ? null : goal.goal()),
            Column.of("", goal -> goal.reached() ? "reached" : "MISSED"));

    private static final List<Column<MissingPythonPeer>> MISSING = List.of(
            Column.of("not measured", missing -> missing.peer().title()), Column.of("why", MissingPythonPeer::why));

    /** A peer that is missing does not fail a run, and neither does a goal; a block that is wrong does. */
    @Override
    public List<String> failures() {
        Stream<String> ended = interrupted ? Stream.of("interrupted: cases are missing") : Stream.of();
        return Stream.concat(flaws.stream(), ended).toList();
    }

    @Override
    public ReportPage page(String command) {
        List<Figure> ends = new ArrayList<>();
        ends.add(Figure.Table.of("", GOALS, goals));
        if (!missing.isEmpty()) {
            ends.add(Figure.Table.of("Peers that were not measured", MISSING, missing));
        }
        return new ReportPage(
                "Python",
                "The Python client beside other ways to bring blocks into a Python process."
                        + (holds() ? " Every block that was read had every byte that it should have." : ""),
                List.of(
                        new ReportPage.Section("Conditions", conditions(conditions), List.of()),
                        section(PythonOperation.READ, "Reading"),
                        section(PythonOperation.WRITE, "Writing"),
                        new ReportPage.Section("Goals", "", ends)));
    }

    private static String conditions(PythonConditions of) {
        return Numbers.format(
                """
                %s, %d processors for clients and servers together, %s, load %.1f before and %.1f at the end
                %d interleaved rounds of %.1f s, medians; batches of %d blocks of %,d bytes; GB are 10^9 bytes of blocks.
                KV Store's blocks are read from DRAM; what it writes is durable in %s.
                Processor time is the client's own; a busy thread of its process wants the GIL all the time.""",
                of.system,
                of.processors,
                of.python,
                of.loadBefore,
                of.loadAfter,
                of.rounds,
                of.seconds,
                of.blocksPerBatch,
                of.blockBytes,
                of.storage);
    }

    private ReportPage.Section section(PythonOperation operation, String heading) {
        List<PythonCase> some =
                cases.stream().filter(one -> one.operation() == operation).toList();
        return new ReportPage.Section(
                heading,
                "",
                List.of(
                        Figure.Bars.of(heading + ": throughput", "GB/s", some, one -> bar(one, one.gbPerSecond())),
                        Figure.Bars.of(
                                heading + ": the client's processor time",
                                "s/GB",
                                some,
                                one -> bar(one, one.clientCpuSecondsPerGb())),
                        Figure.Table.of("", CASES, some)));
    }

    private static Figure.Bar bar(PythonCase one, Spread figure) {
        return Figure.Bar.of(
                one.besideBusyThread() ? "beside a busy thread" : "alone",
                one.peer().title(),
                figure);
    }
}
