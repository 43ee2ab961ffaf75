package dev.kvstore.benchmark.demo;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.demo.DemoPhase.PhaseFigures;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.ProcessFigures;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure.Table;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything the demo found, with the names that the JSON has. Times are milliseconds, MB are 10^6 bytes.
 *
 * @param passed whether all checks held
 * @param client the client library
 * @param blocksStored how many different blocks
 * @param visibleElsewhereMillis until the other data plane saw the last block, from the end of the conversations on
 * @param phases in the order they ran
 * @param dataPlanesStarted when the stack had just become ready
 * @param dataPlanesBusy before the restart
 * @param dataPlanesRestarted after everything
 */
record DemoReport(
        boolean passed,
        String client,
        String storage,
        int conversations,
        int turns,
        long tokens,
        int blockTokens,
        int blockBytes,
        int blocksStored,
        double visibleElsewhereMillis,
        List<PhaseFigures> phases,
        List<ProcessFigures> dataPlanesStarted,
        List<ProcessFigures> dataPlanesBusy,
        List<ProcessFigures> dataPlanesRestarted,
        List<Checks.DemoCheck> checks)
        implements BenchReport {
    private static final double MEGABYTE = 1e6;

    private record SeenProcess(String when, ProcessFigures process) {}

    private static final List<Column<SeenProcess>> PROCESSES = List.of(
            Column.of("process", seen -> seen.process.name()),
            Column.of("", SeenProcess::when),
            Column.of("ready after", "ms", seen -> seen.process.startMillis()),
            Column.of("resident", "MB", seen -> seen.process.residentBytes() / MEGABYTE),
            Column.of("processor time", "ms", seen -> seen.process.cpuMillis()));

    private List<Column<PhaseFigures>> columns() {
        // Writing cannot do without storage: where no call was counted then, none was counted at all.
        boolean counted =
                phases.stream().anyMatch(phase -> !phase.writeStorageCalls().isEmpty());
        return List.of(
                Column.of("lookups", PhaseFigures::lookups),
                Column.of("blocks hit of asked", phase -> phase.blocksHit() + " of " + phase.blocksAsked()),
                Column.of("blocks written", PhaseFigures::blocksWritten),
                Column.of("blocks restored", PhaseFigures::blocksRestored),
                Column.of("written", "MB", phase -> phase.bytesWritten() / MEGABYTE),
                Column.of("restored, verified", "MB", phase -> phase.bytesRestored() / MEGABYTE),
                Column.of("lookup p50/p90/p99", "ms", phase -> percentiles(phase.lookup())),
                Column.of("write ack p50/p90/p99", "ms", phase -> percentiles(phase.writeAck())),
                Column.of("first block p50/p90/p99", "ms", phase -> percentiles(phase.firstBlock())),
                Column.of("each block p50/p90/p99", "ms", phase -> percentiles(phase.restoredBlock())),
                Column.of("write", "MB/s", PhaseFigures::writeMegabytesPerSecond),
                Column.of("restore", "MB/s", PhaseFigures::restoreMegabytesPerSecond),
                Column.of("storage calls per lookup", phase -> counted ? phase.storageCallsPerLookup() : null),
                Column.of("storage calls per write", phase -> counted ? phase.storageCallsPerWrittenBlock() : null),
                Column.of("storage calls per read", phase -> counted ? phase.storageCallsPerRestoredBlock() : null));
    }

    private static @Nullable String percentiles(Latencies.Percentiles latency) {
        return latency.count() == 0
                ? null
                : Stream.of(latency.p50Millis(), latency.p90Millis(), latency.p99Millis())
                        .map(Numbers::text)
                        .collect(Collectors.joining(" / "));
    }

    @Override
    public List<String> failures() {
        return checks.stream()
                .filter(check -> !check.passed())
                .map(check -> check.asked() == 0
                        ? check.name() + ": was never asked"
                        : format(
                                "%s: %d failures, the first: %s", check.name(), check.failures(), check.firstFailure()))
                .toList();
    }

    @Override
    public ReportPage page(String command) {
        List<SeenProcess> processes = Stream.of(
                        seen("at the start", dataPlanesStarted),
                        seen("before the restart", dataPlanesBusy),
                        seen("restarted, at the end", dataPlanesRestarted))
                .flatMap(List::stream)
                .toList();
        return new ReportPage(
                "Demo",
                format(
                        "%d conversations, %d turns, %d tokens; %d blocks of %d tokens and %d bytes over %s storage, by %s.",
                        conversations, turns, tokens, blocksStored, blockTokens, blockBytes, storage, client),
                List.of(
                        new ReportPage.Section(
                                "Conversations",
                                "",
                                List.of(Table.compared("", columns(), PhaseFigures::name, phases))),
                        new ReportPage.Section(
                                "Processes",
                                format(
                                        "The other data plane saw the last block after %.0f ms. Processes that have just"
                                                + " started: this shows what works, not how fast it can be.",
                                        visibleElsewhereMillis),
                                List.of(Table.of("", PROCESSES, processes))),
                        new ReportPage.Section(
                                "Checks",
                                checks.stream().map(DemoReport::line).collect(Collectors.joining("\n")),
                                List.of())));
    }

    private static List<SeenProcess> seen(String when, List<ProcessFigures> processes) {
        return processes.stream().map(process -> new SeenProcess(when, process)).toList();
    }

    private static String line(Checks.DemoCheck check) {
        return format(
                "%s  %s (checked %s)",
                check.passed() ? "PASS" : "FAIL", check.name(), check.asked() == 1 ? "once" : check.asked() + " times");
    }

    @Override
    public String text() {
        return page("").text(failures()) + (passed ? "All held.\n" : "NOT all held.\n");
    }
}
