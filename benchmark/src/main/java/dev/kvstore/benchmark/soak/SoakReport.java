package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure.Table;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Findings of a soak. The components have the names of the JSON.
 *
 * @param steps how often clients did what
 * @param longestSilenceMillis the longest that a process took to tell others of its health
 * @param rests the memory that was held after each round
 * @param messages the first of what went wrong
 */
record SoakReport(
        double seconds,
        Map<String, Long> steps,
        Map<SoakCount, Long> counts,
        double longestSilenceMillis,
        List<Rest> rests,
        List<String> messages)
        implements BenchReport {
    private static final double MEGABYTE = 1e6;
    private static final double SECONDS_PER_MINUTE = 60;

    private static final List<Column<Map.Entry<SoakCount, Long>>> COUNTS =
            List.of(Column.of("", count -> count.getKey().text()), Column.of("", Map.Entry::getValue));

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

    /** Nothing was denied, leaked or left alone, and something could have been. */
    @Override
    public List<String> failures() {
        Failures failures = new Failures();
        counts.forEach((count, found) -> {
            failures.when(count.isFault() && found > 0, "%s: %d", count.text(), found);
            failures.when(count.isTrial() && found == 0, "nothing was proved: %s: 0", count.text());
        });
        return failures.list();
    }

    private Table table(String caption, Predicate<SoakCount> wanted) {
        return Table.of(
                caption,
                COUNTS,
                counts.entrySet().stream()
                        .filter(count -> wanted.test(count.getKey()))
                        .toList());
    }

    @Override
    public ReportPage page(String command) {
        List<Held> held = rests.stream()
                .flatMap(rest -> rest.processes().stream().map(process -> new Held(rest, process)))
                .toList();
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
                                List.of(table("Faults", SoakCount::isFault))),
                        new ReportPage.Section(
                                "What it was tried with",
                                Numbers.format("The longest silence of a process: %.0f ms.", longestSilenceMillis),
                                List.of(
                                        table("Blocks and calls", count -> !count.isFault()),
                                        Table.of("How often a client did what", STEPS, steps.entrySet()))),
                        new ReportPage.Section(
                                "What is left once all clients of a round are closed",
                                "",
                                List.of(Table.of("", RESTS, held)))));
    }
}
