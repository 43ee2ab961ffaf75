package dev.kvstore.benchmark.python;

import static dev.kvstore.benchmark.measure.TextLines.format;

import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A report for people: a line per client, then the goals. Plain text, 115 columns. */
final class PythonTable {
    private final TextLines text = new TextLines();
    private final PythonReport report;

    private PythonTable(PythonReport report) {
        this.report = report;
    }

    static String of(PythonReport report) {
        return new PythonTable(report).render();
    }

    private String render() {
        conditions();
        for (PythonOperation operation : PythonOperation.values()) {
            cases(operation);
        }
        goals();
        if (report.interrupted()) {
            text.line("INTERRUPTED: what is above is what there was by then.");
        }
        report.flaws().forEach(flaw -> text.line("FAILED: %s", flaw));
        if (report.holds()) {
            text.line("Every block that was read had every byte that it should have.");
        }
        return text.toString();
    }

    private void conditions() {
        PythonReport.PythonConditions conditions = report.conditions();
        text.line(
                "%s, %d processors for clients and servers together, %s, load %.1f before and %.1f at the end",
                conditions.system(),
                conditions.processors(),
                conditions.python(),
                conditions.loadBefore(),
                conditions.loadAfter());
        text.line(
                "%d interleaved rounds of %.1f s, medians; batches of %d blocks of %,d bytes; GB are 10^9 bytes of blocks.",
                conditions.rounds(), conditions.seconds(), conditions.blocksPerBatch(), conditions.blockBytes());
        text.line("KV Store's blocks are read from DRAM; what it writes is durable in %s.", conditions.storage());
        text.line("CPU is the client's own; busy is beside a thread of its process that wants the GIL all the time.");
    }

    private void cases(PythonOperation operation) {
        text.line("");
        text.line(
                "%-32s %9s %13s %9s %13s %9s %9s",
                operation == PythonOperation.READ ? "reading" : "writing",
                "GB/s",
                "min-max",
                "CPU s/GB",
                "min-max",
                "busy GB/s",
                "CPU s/GB");
        for (PythonPeer peer : PythonPeer.values()) {
            PythonCase alone = measured(peer, operation, false);
            PythonCase busy = measured(peer, operation, true);
            if (alone != null) {
                line(peer, alone, busy);
            }
        }
        for (PythonReport.MissingPythonPeer missing : report.missing()) {
            text.line("%-32s not installed: %s", missing.peer().title(), missing.why());
        }
    }

    private void line(PythonPeer peer, PythonCase alone, @Nullable PythonCase busy) {
        text.line(
                "%-32s %9s %13s %9s %13s %9s %9s",
                peer.title(),
                figure(alone.gbPerSecond().median()),
                range(alone.gbPerSecond()),
                figure(alone.clientCpuSecondsPerGb().median()),
                range(alone.clientCpuSecondsPerGb()),
                busy == null ? "-" : figure(busy.gbPerSecond().median()),
                busy == null ? "-" : figure(busy.clientCpuSecondsPerGb().median()));
    }

    private @Nullable PythonCase measured(PythonPeer peer, PythonOperation operation, boolean busy) {
        return report.cases().stream()
                .filter(one -> one.is(peer, operation, busy))
                .findFirst()
                .orElse(null);
    }

    private void goals() {
        text.line("");
        for (PythonGoal goal : report.goals()) {
            Spread value = Objects.requireNonNull(goal.value());
            text.line(
                    "%-7s %5s (%s), goal %s %s: %s",
                    goal.reached() ? "reached" : "MISSED",
                    figure(value.median()),
                    range(value),
                    goal.atLeast() ? "at least" : "at most",
                    figure(goal.goal()),
                    goal.text());
        }
        text.line("");
    }

    private static String range(Spread spread) {
        return figure(spread.min()) + "-" + figure(spread.max());
    }

    private static String figure(double value) {
        return format("%.2f", value);
    }
}
