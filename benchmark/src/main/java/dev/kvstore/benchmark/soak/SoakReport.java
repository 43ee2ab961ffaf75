package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.launcher.stack.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings of a soak. The components have the names of the JSON.
 *
 * @param steps how often clients did what
 * @param leakedBlocks that the SDK's leak detector found
 * @param damagedBlocks that arrived at clients with a wrong checksum
 * @param rests the memory that was held after each round
 * @param messages the first of what went wrong
 */
record SoakReport(
        double seconds,
        Map<String, Long> steps,
        SoakBlocks blocks,
        Calls calls,
        Ejections ejections,
        SoakEvictions evictions,
        long leakedBlocks,
        long damagedBlocks,
        List<Rest> rests,
        List<String> messages)
        implements BenchReport {
    private static final double MEGABYTE = 1e6;
    private static final double SECONDS_PER_MINUTE = 60;

    /**
     * Blocks.
     *
     * @param read and compared, byte for byte
     * @param denied acknowledged, and not found or not counted
     * @param wrong with other bytes than were written
     */
    record SoakBlocks(long acknowledged, long read, long lookups, long denied, long wrong) {
        static SoakBlocks of(SoakCounts findings) {
            return new SoakBlocks(
                    findings.acknowledged.get(),
                    findings.read.get(),
                    findings.lookups.get(),
                    findings.denied(),
                    findings.wrong());
        }
    }

    /**
     * Calls that did not end well.
     *
     * @param failed or hung without a reason of the client's own
     * @param refused too much at a time, after all retries
     * @param cancelled by the client
     * @param overdue which had no time
     */
    record Calls(long failed, long refused, long cancelled, long overdue) {
        static Calls of(SoakCounts findings) {
            return new Calls(
                    findings.failed(), findings.refused.get(), findings.cancelled.get(), findings.overdue.get());
        }
    }

    /**
     * Times a client left a process alone.
     *
     * @param withoutCause while the process answered others within a second
     * @param longestSilenceMillis the longest that a process took to tell others of its health
     */
    record Ejections(long all, long withoutCause, double longestSilenceMillis) {}

    /**
     * Evictions of all data planes together.
     *
     * @param memory blocks that left memory
     * @param disk blocks that left the disk tier
     * @param filters times the blocks of a partition were learnt from storage
     */
    record SoakEvictions(long memory, long disk, long filters) {
        static SoakEvictions of(List<Metrics> metrics) {
            return new SoakEvictions(
                    sum(metrics, "kvstore_memory_tier_evictions_total"),
                    sum(metrics, "kvstore_disk_tier_evictions_total"),
                    sum(metrics, "kvstore_presence_load_duration_seconds_count"));
        }

        private static long sum(List<Metrics> metrics, String name) {
            return (long) metrics.stream().mapToDouble(one -> one.sum(name)).sum();
        }
    }

    private static final List<Column<SoakReport>> FAULTS = List.of(
            Column.of("blocks acknowledged, and denied", report -> report.blocks.denied),
            Column.of("blocks with other bytes than were written", report -> report.blocks.wrong),
            Column.of("calls that failed or hung", report -> report.calls.failed),
            Column.of("processes left alone without cause", report -> report.ejections.withoutCause),
            Column.of("blocks that nobody closed", SoakReport::leakedBlocks),
            Column.of("blocks that arrived damaged", SoakReport::damagedBlocks),
            Column.of("rounds after which something was held", SoakReport::roundsThatHeld));

    private static final List<Column<SoakReport>> TRIALS = List.of(
            Column.of("blocks acknowledged", report -> report.blocks.acknowledged),
            Column.of("blocks read and compared", report -> report.blocks.read),
            Column.of("lookups of acknowledged blocks", report -> report.blocks.lookups),
            Column.of("calls cancelled", report -> report.calls.cancelled),
            Column.of("calls overdue", report -> report.calls.overdue),
            Column.of("calls refused for too much at a time", report -> report.calls.refused),
            Column.of("times a client left a process alone", report -> report.ejections.all),
            Column.of("longest silence of a process", "ms", report -> report.ejections.longestSilenceMillis),
            Column.of("blocks that left memory", report -> report.evictions.memory),
            Column.of("blocks that left the disk tier", report -> report.evictions.disk),
            Column.of("times a partition was learnt from storage", report -> report.evictions.filters));

    private static final List<Column<Map.Entry<String, Long>>> STEPS =
            List.of(Column.of("step", Map.Entry::getKey), Column.of("times", Map.Entry::getValue));

    private record Held(Rest rest, Rest.RestServer process) {}

    private static final List<Column<Held>> RESTS = List.of(
            Column.of("round", held -> held.rest.round()),
            Column.of("process", held -> held.process.name()),
            Column.of("held by clients", "bytes", held -> held.rest.clientBytes()),
            Column.of("calls", held -> held.process.calls()),
            Column.of("received", "bytes", held -> held.process.inboundBytes()),
            Column.of("blocks", "bytes", held -> held.process.transferBytes()),
            Column.of("resident", "MB", held -> held.process.residentBytes() / MEGABYTE),
            Column.of("files", held -> held.process.openFiles()));

    private long roundsThatHeld() {
        return rests.stream().filter(rest -> !rest.isClear()).count();
    }

    /** Nothing was denied, leaked or left alone, and something could have been. */
    @Override
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (Column<SoakReport> fault : FAULTS) {
            if (fault.value().apply(this) instanceof Long count && count > 0) {
                failures.add(fault.name() + ": " + count);
            }
        }
        boolean tried = blocks.acknowledged > 0
                && blocks.read > 0
                && blocks.lookups > 0
                && calls.cancelled > 0
                && calls.overdue > 0
                && evictions.memory > 0;
        if (!tried) {
            failures.add("nothing was proved: some of what is to be tried did not happen");
        }
        return failures;
    }

    @Override
    public ReportPage page(String command) {
        return new ReportPage(
                "Soak",
                Numbers.format(
                        "%.0f minutes of clients that pause, leave, cancel and hurry: %s",
                        seconds / SECONDS_PER_MINUTE,
                        holds()
                                ? "nothing was denied, nothing is held, nobody was left alone without cause."
                                : "something was denied, held or left alone, or nothing was proved."),
                List.of(
                        new ReportPage.Section(
                                "What must be zero",
                                String.join("\n\n", messages),
                                List.of(Figure.Table.facts("Faults", FAULTS, this))),
                        new ReportPage.Section(
                                "What it was tried with",
                                "",
                                List.of(
                                        Figure.Table.facts("Blocks and calls", TRIALS, this),
                                        Figure.Table.of(
                                                "How often a client did what",
                                                STEPS,
                                                new TreeMap<>(steps).entrySet()))),
                        new ReportPage.Section(
                                "What is left once all clients of a round are closed",
                                "",
                                List.of(Figure.Table.of(
                                        "",
                                        RESTS,
                                        rests.stream()
                                                .flatMap(rest -> rest.processes().stream()
                                                        .map(process -> new Held(rest, process)))
                                                .toList())))));
    }
}
