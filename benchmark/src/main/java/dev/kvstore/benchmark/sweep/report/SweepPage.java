package dev.kvstore.benchmark.sweep.report;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.sweep.step.ServerTraffic;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A report's page: charts for a browser, tables for all. */
record SweepPage(SweepReport report, SweepCharts charts) {
    static final List<Column<SweepStep>> NAMES = List.of(
            Column.of("loop", SweepStep::loop),
            Column.of("planes", SweepStep::arrangement),
            Column.of("clients", SweepStep::concurrency));
    private static final List<Column<SweepStep>> WORK = List.of(
            Column.of("iterations/s", SweepStep::iterationsPerSecond),
            Column.of("tokens/s", step -> Math.round(step.tokensPerSecond())),
            Column.of("read", "MB/s", SweepStep::readMegabytesPerSecond),
            Column.of("written", "MB/s", SweepStep::writtenMegabytesPerSecond),
            Column.of("CPUs", SweepPage::cpus),
            Column.of("Little", SweepPage::check),
            Column.of("refused", SweepStep::refused));
    private static final List<Column<SweepStep>> TRAFFIC = List.of(
            Column.of("tokens/s read", step -> Math.round(step.readTokensPerSecond())),
            Column.of("written", step -> Math.round(step.writtenTokensPerSecond())),
            Column.of(
                    "clients in/out",
                    step -> pair(
                            step.gigabitsPerSecond().fromClients(),
                            step.gigabitsPerSecond().toClients())),
            Column.of(
                    "storage in/out",
                    step -> pair(
                            step.gigabitsPerSecond().fromStorage(),
                            step.gigabitsPerSecond().toStorage())),
            Column.of("in all", step -> gigabits(step.gigabitsPerSecond().total())));
    private static final Column<SweepStep> CARD = Column.of("card", SweepPage::card);

    public static ReportPage of(SweepReport report) {
        return new SweepPage(report, new SweepCharts(report.steps(), report.nicGbit())).page();
    }

    private ReportPage page() {
        SweepPlanning planning = new SweepPlanning(report, charts);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("Throughput and latency against concurrency", against(), concurrency()));
        if (!report.comparison().isEmpty()) {
            sections.add(planning.comparison());
        }
        sections.add(planning.operatingPoints());
        sections.add(planning.hops());
        sections.add(new Section("What was measured, and checked", conditions(), List.of()));
        return new ReportPage(
                "Load sweep: " + (report.load() == Mix.MIXED ? "" : report.load() + ", ") + report.data() + " reads",
                summary(),
                sections);
    }

    private String summary() {
        String peaks = report.series().stream()
                .map(series -> format(
                        "%s: %.1f iterations/s at %.0f clients, %,.0f tokens/s, knee at %.0f",
                        series.arrangement(),
                        series.peak().iterationsPerSecond(),
                        series.peak().concurrency(),
                        series.peak().tokensPerSecond(),
                        series.knee().concurrency()))
                .collect(Collectors.joining("; "));
        return format(
                "%s, blocks of %,d bytes, reads %s, %d processors for all. %s.%s",
                report.service(),
                report.blockBytes(),
                report.data(),
                report.processors(),
                peaks.isEmpty() ? "Nothing was measured" : peaks,
                report.faults().all() == 0 ? " No block was lost or wrong." : "");
    }

    private String against() {
        return "Closed loop: each client does " + report.load().text()
                + ", and begins each call when the call before was answered. Open loop: iterations are due at even"
                + " distances; latencies count from when an iteration was due, so nothing is left out that a slow answer"
                + " kept from being asked; the clients are those under way on average. CPUs are used on average, by clients"
                + " and by data planes. Little is throughput times latency against the number of clients: \"!\" beyond 5 %,"
                + " and where an open loop did not keep up with its rate. Ranges span the rounds."
                + "\n\nGbit/s are those of the data planes: blocks from and to clients, and bytes from and to storage by the"
                + " data planes' counters, without what protocols add."
                + (report.nicGbit() == null
                        ? ""
                        : format(
                                " The card carries %s Gbit/s in each direction; its share is that of the busier direction,"
                                        + " near the limit from 80 %%, saturated from 95 %%.",
                                Numbers.text(report.nicGbit())));
    }

    private List<Figure> concurrency() {
        List<Column<SweepStep>> latencies = new ArrayList<>();
        charts.kinds()
                .forEach(kind -> latencies.add(
                        Column.of(kind.name(), step -> three(kind.latency().apply(step)))));
        latencies.add(Column.of("p99 of all", step -> step.overall().p99Millis()));
        latencies.add(Column.of("longest", step -> step.overall().maxMillis()));
        List<Figure> figures = new ArrayList<>(charts.againstClients());
        figures.add(table("Throughput", report.steps(), NAMES, WORK));
        figures.add(table("Latencies in ms: p50/p90/p99", report.steps(), NAMES, latencies));
        List<Column<SweepStep>> card = report.nicGbit() == null ? List.of() : List.of(CARD);
        figures.add(table("Tokens, and Gbit/s of the data planes", report.steps(), NAMES, TRAFFIC, card));
        return figures;
    }

    @SafeVarargs
    static <R> Figure table(String caption, List<R> rows, List<Column<R>>... columns) {
        List<Column<R>> all = new ArrayList<>();
        for (List<Column<R>> some : columns) {
            all.addAll(some);
        }
        return Figure.Table.of(caption, all, rows);
    }

    private static String three(Percentiles of) {
        return Stream.of(of.p50Millis(), of.p90Millis(), of.p99Millis())
                .map(Numbers::text)
                .collect(Collectors.joining("/"));
    }

    static String gigabits(@Nullable Double value) {
        return value == null ? "?" : format("%.3f", value);
    }

    private static String pair(@Nullable Double in, @Nullable Double out) {
        return gigabits(in) + "/" + gigabits(out);
    }

    private static String card(SweepStep step) {
        ServerTraffic.CardUse card = step.card();
        return card == null ? "?" : format("%.1f %% %s", card.percent(), card.status());
    }

    private static String cpus(SweepStep step) {
        Double server = step.serverCpus();
        return format("%.2f+", step.clientCpus()) + (server == null ? "?" : format("%.2f", server));
    }

    private static String check(SweepStep step) {
        SweepStep.Little little = step.little();
        if (little == null) {
            return step.keptUp() ? "" : "!";
        }
        return format("%+.1f%%", little.deviationPercent()) + (little.holds() ? "" : "!");
    }

    private String conditions() {
        return format(
                "%s, Java %s. An iteration is %s; a prompt is %d blocks, a block is 128 tokens, %,d blocks are read."
                        + " Client processes: %d, with %d connections to each data plane. %.0f s a step, rounds: %d."
                        + "\n\n%,d blocks of %,d reads were compared byte for byte (each block's first, which mostly is in the"
                        + " warm-up, then each 61st; all by checksum); %s looked up.",
                report.system(),
                report.java(),
                report.load().text(),
                report.promptBlocks(),
                report.stockBlocks(),
                report.processes(),
                report.connections(),
                report.seconds(),
                report.rounds(),
                report.steps().stream().mapToLong(SweepStep::compared).sum(),
                report.steps().stream().mapToLong(step -> step.read().count()).sum(),
                report.load() == Mix.MIXED ? "every Write was" : "each client's last Write was");
    }
}
