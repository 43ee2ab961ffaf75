package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.launcher.stack.Metrics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

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

    /** Whether nothing was denied, leaked or left alone, and something could have been. */
    @Override
    public boolean holds() {
        return blocks.denied == 0
                && blocks.wrong == 0
                && calls.failed == 0
                && ejections.withoutCause == 0
                && leakedBlocks == 0
                && damagedBlocks == 0
                && rests.stream().allMatch(Rest::isClear)
                && blocks.acknowledged > 0
                && blocks.read > 0
                && blocks.lookups > 0
                && calls.cancelled > 0
                && calls.overdue > 0
                && evictions.memory > 0;
    }

    @Override
    public String text() {
        return String.format(
                        Locale.ROOT,
                        """
                        %.0f s
                        acknowledged            %d blocks
                        read and compared       %d blocks
                        lookups                 %d
                        denied, though acked    %d blocks
                        with other bytes        %d blocks
                        failed or hung          %d calls (refused for too much at a time: %d)
                        cancelled, overdue      %d, %d calls
                        ejected without cause   %d of %d (longest silence of a process %.0f ms)
                        leaked, damaged         %d, %d blocks
                        left memory, disk       %d, %d blocks; partitions learnt %d times
                        """,
                        seconds,
                        blocks.acknowledged,
                        blocks.read,
                        blocks.lookups,
                        blocks.denied,
                        blocks.wrong,
                        calls.failed,
                        calls.refused,
                        calls.cancelled,
                        calls.overdue,
                        ejections.withoutCause,
                        ejections.all,
                        ejections.longestSilenceMillis,
                        leakedBlocks,
                        damagedBlocks,
                        evictions.memory,
                        evictions.disk,
                        evictions.filters)
                + rests.stream().map(SoakReport::text).collect(Collectors.joining())
                + messages.stream().map(message -> "  " + message + "\n").collect(Collectors.joining())
                + (holds()
                        ? "Nothing was denied, nothing is held, nobody was left alone without cause.\n"
                        : "FAILED: this must not be, or nothing was proved.\n");
    }

    private static String text(Rest rest) {
        return "after round %d       %s\n"
                .formatted(
                        rest.round(),
                        rest.isClear()
                                ? "all given back; " + sizes(rest)
                                : "HELD: %d bytes by clients, %s"
                                        .formatted(
                                                rest.clientBytes(),
                                                rest.processes().stream()
                                                        .map(one ->
                                                                "%s: %d calls, %d bytes received, %d bytes of blocks"
                                                                        .formatted(
                                                                                one.name(),
                                                                                one.calls(),
                                                                                one.inboundBytes(),
                                                                                one.transferBytes()))
                                                        .collect(Collectors.joining(", "))));
    }

    private static String sizes(Rest rest) {
        return rest.processes().stream()
                .map(one -> String.format(
                        Locale.ROOT, "%.0f MB, %d files", one.residentBytes() / MEGABYTE, one.openFiles()))
                .collect(Collectors.joining("; "));
    }

    @Override
    public ReportPage page(String command) {
        return SoakPage.of(this);
    }
}
