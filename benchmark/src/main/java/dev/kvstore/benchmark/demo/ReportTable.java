package dev.kvstore.benchmark.demo;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.ProcessFigures;
import dev.kvstore.benchmark.measure.TextLines;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A report for people: a column per phase, then the processes, then the checks. Plain text, 100 columns. */
final class ReportTable {
    private static final double MEGABYTE = 1e6;

    private final TextLines text = new TextLines();
    private final DemoReport report;

    private ReportTable(DemoReport report) {
        this.report = report;
    }

    static String of(DemoReport report) {
        return new ReportTable(report).render();
    }

    private String render() {
        text.line(
                "%d conversations, %d turns, %d tokens; %d blocks of %d tokens and %d bytes over %s storage, by %s",
                report.conversations(),
                report.turns(),
                report.tokens(),
                report.blocksStored(),
                report.blockTokens(),
                report.blockBytes(),
                report.storage(),
                report.client());
        text.line("");
        row("", DemoPhase.PhaseFigures::name);
        row("lookups", phase -> Long.toString(phase.lookups()));
        row("blocks hit of asked", phase -> phase.blocksHit() + " of " + phase.blocksAsked());
        row("blocks written", phase -> Long.toString(phase.blocksWritten()));
        row("blocks restored", phase -> Long.toString(phase.blocksRestored()));
        row("MB written", phase -> megabytes(phase.bytesWritten()));
        row("MB restored, verified", phase -> megabytes(phase.bytesRestored()));
        row("lookup ms p50/p90/p99", phase -> percentiles(phase.lookup()));
        row("write ack ms p50/p90/p99", phase -> percentiles(phase.writeAck()));
        row("first block ms p50/p90/p99", phase -> percentiles(phase.firstBlock()));
        row("each block ms p50/p90/p99", phase -> percentiles(phase.restoredBlock()));
        row("write MB/s", phase -> rate(phase.writeMegabytesPerSecond()));
        row("restore MB/s", phase -> rate(phase.restoreMegabytesPerSecond()));
        row("storage calls per lookup", phase -> calls(phase.storageCallsPerLookup()));
        row("storage calls per write", phase -> calls(phase.storageCallsPerWrittenBlock()));
        row("storage calls per read", phase -> calls(phase.storageCallsPerRestoredBlock()));
        text.line("");
        text.line("The other data plane saw the last block after %.0f ms.", report.visibleElsewhereMillis());
        processes("at the start", report.dataPlanesStarted());
        processes("before the restart", report.dataPlanesBusy());
        processes("restarted, at the end", report.dataPlanesRestarted());
        text.line("Processes that have just started: this shows what works, not how fast it can be.");
        text.line("");
        report.checks().forEach(this::check);
        text.line("");
        text.line("%s", report.passed() ? "All held." : "NOT all held.");
        return text.toString();
    }

    private void row(String name, Function<DemoPhase.PhaseFigures, String> cell) {
        String cells = report.phases().stream()
                .map(phase -> "%22s".formatted(cell.apply(phase)))
                .collect(Collectors.joining("  "));
        text.line("%-27s %s", name, cells);
    }

    private void processes(String when, List<ProcessFigures> processes) {
        for (ProcessFigures process : processes) {
            text.line(
                    "%-18s %-22s ready after %5.0f ms, %4.0f MB resident, %5d ms of CPU",
                    process.name(),
                    when,
                    process.startMillis(),
                    process.residentBytes() / MEGABYTE,
                    process.cpuMillis());
        }
    }

    private void check(Checks.DemoCheck check) {
        text.line(
                "%s  %s (checked %s)",
                check.passed() ? "PASS" : "FAIL", check.name(), check.asked() == 1 ? "once" : check.asked() + " times");
        if (check.failures() > 0) {
            text.line("      %d failures, the first: %s", check.failures(), check.firstFailure());
        }
    }

    private static String percentiles(Latencies.Percentiles latency) {
        return latency.count() == 0
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%s / %s / %s",
                        millis(latency.p50Millis()),
                        millis(latency.p90Millis()),
                        millis(latency.p99Millis()));
    }

    private static String millis(double millis) {
        return format(millis < 10 ? "%.2f" : "%.0f", millis);
    }

    private static String megabytes(long bytes) {
        return format("%.1f", bytes / MEGABYTE);
    }

    private static String rate(double megabytesPerSecond) {
        return megabytesPerSecond == 0 ? "-" : format("%.0f", megabytesPerSecond);
    }

    /** Writing cannot do without storage: where no call was counted then, none was counted at all. */
    private String calls(double perOperation) {
        boolean counted = report.phases().stream()
                .anyMatch(phase -> !phase.writeStorageCalls().isEmpty());
        return counted ? format("%.2f", perOperation) : "not counted";
    }
}
