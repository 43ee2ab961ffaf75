package dev.kvstore.benchmark.limits;

import static dev.kvstore.benchmark.measure.TextLines.format;

import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.Spread;

/** A report for people: a line per figure, then a line per goal. Plain text, 120 columns. */
final class LimitsTable {
    private final TextLines text = new TextLines();
    private final LimitsReport report;

    private LimitsTable(LimitsReport report) {
        this.report = report;
    }

    static String of(LimitsReport report) {
        return new LimitsTable(report).render();
    }

    private String render() {
        conditions();
        text.line("");
        text.line("%-8s %-40s %7s  %-13s %10s  %s", "limit", "what", "clients", "", "median", "least to most");
        report.figures().forEach(this::figure);
        text.line("");
        text.line("%-63s %18s %10s  %s", "goal", "wanted", "found", "least to most");
        report.goals().forEach(this::goal);
        report.missing().forEach(one -> text.line("MISSING %s", one));
        if (report.interrupted()) {
            text.line("INTERRUPTED: what is above is what there was by then.");
        }
        report.flaws().forEach(flaw -> text.line("FAILED: %s", flaw));
        if (report.flaws().isEmpty() && !report.interrupted()) {
            text.line("Every block that was compared, read or written, had every byte that it should have.");
        }
        return text.toString();
    }

    private void conditions() {
        LimitsReport.LimitsConditions conditions = report.conditions();
        text.line(
                "%s, %d processors for clients, data planes and storage together, Java %s, load before %.2f",
                conditions.system(), conditions.processors(), conditions.java(), conditions.loadAverage());
        text.line(
                "Warmed up for %.0f s, then %d interleaved rounds of %.0f s; GB are 10^9 bytes of payload, a block has 1,200,000.",
                conditions.warmUpSeconds(), conditions.rounds(), conditions.seconds());
        text.line(
                "Storage and disk tiers are on %s. Starts: %d each, %,d blocks left on the disk of one.",
                conditions.fileSystem(), conditions.starts(), conditions.leftBlocks());
        if (conditions.slowedMillis() > 0) {
            text.line("Every data plane was made to answer %d ms later.", conditions.slowedMillis());
        }
    }

    private void figure(MeasuredCase one) {
        text.line(
                "%-8s %-40s %7s  %-13s %10s  %s",
                one.limit(),
                one.what(),
                one.clients() == 0 ? "" : one.clients(),
                one.quantity(),
                Numbers.text(one.median()),
                range(one.spread()));
    }

    private void goal(GoalVerdict goal) {
        Spread found = goal.found();
        text.line(
                "%-63s %18s %10s  %s",
                goal.text(),
                (goal.atLeast() ? ">= " : "<= ") + Numbers.text(goal.bound()) + " " + goal.quantity(),
                found == null ? "-" : Numbers.text(found.median()),
                found == null ? "not measured" : range(found) + "  " + outcome(goal));
    }

    /** In a few words. */
    static String outcome(GoalVerdict goal) {
        Double factor = goal.missedBy();
        return factor != null && goal.isMissed() ? format("MISSED by a factor of %.2f", factor) : "reached";
    }

    private static String range(Spread spread) {
        return spread.min() == spread.max() ? "" : Numbers.text(spread.min()) + " to " + Numbers.text(spread.max());
    }
}
