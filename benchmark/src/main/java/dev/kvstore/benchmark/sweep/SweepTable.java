package dev.kvstore.benchmark.sweep;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.report.Spread;
import java.util.stream.Collectors;

/** A report for people: a line per step, then what follows. Plain text, 190 columns. */
final class SweepTable {
    private final TextLines text = new TextLines();
    private final SweepReport report;

    private SweepTable(SweepReport report) {
        this.report = report;
    }

    static String of(SweepReport report) {
        return new SweepTable(report).render();
    }

    private String render() {
        text.line(
                "%s, %d processors for clients, data planes and storage of this machine, Java %s",
                report.system(), report.processors(), report.java());
        text.line("%s; reads %s", report.service(), report.data());
        text.line(
                "Blocks of %,d bytes, %,d of them to read; %d client process(es) with %d connections to each data plane;"
                        + " %.1f s a step, rounds: %d",
                report.blockBytes(),
                report.stockBlocks(),
                report.processes(),
                report.connections(),
                report.seconds(),
                report.rounds());
        text.line(
                "An iteration is %s; a prompt is %d blocks, a block is 128 tokens.",
                report.load().text(), report.promptBlocks());
        text.line("");
        steps();
        report.series().forEach(this::series);
        verdict();
        return text.toString();
    }

    private void steps() {
        text.line(
                "%-6s %-6s %7s %8s %17s %9s %7s %7s %18s %18s %18s %18s %11s %7s %7s%s",
                "loop",
                "planes",
                "clients",
                "iter/s",
                "min-max",
                "tokens/s",
                "MB/s r",
                "MB/s w",
                "lookup p50/p90/p99",
                "read p50/p90/p99",
                "write p50/p90/p99",
                "all p99/max",
                "CPUs c+s",
                "Little",
                "refused",
                report.load() == Mix.STREAMING_READ ? "  first block p50/p90/p99" : "");
        report.steps().forEach(this::step);
        text.line("");
        text.line(
                "Latencies in ms. MB/s: read and written. CPUs: used on average by clients and data planes. Little: throughput");
        text.line(
                "times latency against the number of clients (closed loop), \"!\" beyond 5 %%. An open loop's clients are those under");
        text.line(
                "way on average; its latencies count from when an iteration was due; \"!\" where it did not keep up with its rate.");
        text.line("");
    }

    private void step(SweepStep step) {
        text.line(
                "%-6s %-6s %7s %8.1f %17s %9.0f %7s %7s %18s %18s %18s %18s %11s %7s %7d%s",
                step.loop(),
                step.arrangement(),
                clients(step.loop(), step.concurrency()),
                step.iterationsPerSecond().median(),
                format(
                        "%.1f-%.1f",
                        step.iterationsPerSecond().min(),
                        step.iterationsPerSecond().max()),
                step.tokensPerSecond(),
                number(step.readMegabytesPerSecond()),
                number(step.writtenMegabytesPerSecond()),
                three(step.lookup()),
                three(step.read()),
                three(step.write()),
                number(step.overall().p99Millis()) + "/" + number(step.overall().maxMillis()),
                cpus(step),
                check(step),
                step.refused(),
                report.load() == Mix.STREAMING_READ ? "  " + three(step.firstBlock()) : "");
    }

    private static String clients(String loop, double concurrency) {
        return format(loop.equals(PlannedStep.CLOSED) ? "%.0f" : "%.1f", concurrency);
    }

    private static String cpus(SweepStep step) {
        Double server = step.serverCpus();
        return format("%.2f+", step.clientCpus()) + (server == null ? "?" : format("%.2f", server));
    }

    private static String check(SweepStep step) {
        Little little = step.little();
        if (little == null) {
            return step.keptUp() ? "" : "!";
        }
        return format("%+.1f%%", little.deviationPercent()) + (little.holds() ? "" : "!");
    }

    private void series(SweepSeries series) {
        text.line(
                "%s: peak %.1f iterations/s at %.0f clients; within 5 %% of it from %.0f clients on; knee (most throughput for its"
                        + " latency) at %.0f: %.1f/s, mean %s ms",
                series.arrangement(),
                series.peak().iterationsPerSecond(),
                series.peak().concurrency(),
                series.saturation().concurrency(),
                series.knee().concurrency(),
                series.knee().iterationsPerSecond(),
                number(series.knee().meanMillis()));
        text.line(
                "    %.0f clients: %s of the peak, round by round",
                series.crowd().concurrency(), ratio(series.crowd().ofPeak()));
        series.operatingPoints().forEach(this::operatingPoint);
        text.line("");
    }

    static String ratio(Spread spread) {
        return format("%.2f (%.2f-%.2f)", spread.median(), spread.min(), spread.max());
    }

    private void operatingPoint(SweepSeries.OperatingPoint point) {
        String loop = point.loop();
        Double concurrency = point.concurrency();
        Double rate = point.iterationsPerSecond();
        Double bandwidth = point.megabytesPerSecond();
        if (loop == null || concurrency == null || rate == null || bandwidth == null) {
            text.line("    p99 < %.0f ms: no step of this sweep", point.targetMillis());
            return;
        }
        text.line(
                "    p99 < %.0f ms: %.1f iterations/s, %s MB/s (%s loop, %s clients)%s",
                point.targetMillis(), rate, number(bandwidth), loop, clients(loop, concurrency), servers(point));
    }

    private String servers(SweepSeries.OperatingPoint point) {
        Long servers = point.servers();
        String target = report.target();
        return servers == null || target == null ? "" : format("; %d such for %s", servers, target);
    }

    private void verdict() {
        Faults.FaultCounts faults = report.faults();
        long compared = report.steps().stream().mapToLong(SweepStep::compared).sum();
        long reads =
                report.steps().stream().mapToLong(step -> step.read().count()).sum();
        text.line(
                "%,d blocks of %,d reads compared byte for byte (each block's first, which mostly is in the warm-up, then each 61st; all by"
                        + " checksum); %s looked up.",
                compared, reads, report.load() == Mix.MIXED ? "every write" : "each client's last write");
        String flagged = report.steps().stream()
                .filter(step -> step.little() != null && !step.little().holds())
                .map(step -> step.arrangement() + " " + Math.round(step.concurrency()))
                .collect(Collectors.joining(", "));
        if (!flagged.isEmpty()) {
            text.line("Little's law is off by more than 5 %% at: %s", flagged);
        }
        if (faults.all() > 0) {
            text.line(
                    "FAILED: %d blocks lost, %d wrong, %d calls failed:",
                    faults.lost(), faults.wrong(), faults.failed());
            faults.told().forEach(told -> text.line("    %s", told));
        }
        if (report.ended() != null) {
            text.line("FAILED: not all was measured: %s", report.ended());
        }
        if (report.holds()) {
            text.line("No block was lost or wrong.");
        }
    }

    private static String three(Percentiles of) {
        return number(of.p50Millis()) + "/" + number(of.p90Millis()) + "/" + number(of.p99Millis());
    }

    static String number(double value) {
        return format(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
