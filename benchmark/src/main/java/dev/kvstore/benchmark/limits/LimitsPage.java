package dev.kvstore.benchmark.limits;

import static dev.kvstore.benchmark.measure.TextLines.format;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** A report with charts: how near each goal is, then the figures of each limit as bars. */
final class LimitsPage {
    private final LimitsReport report;

    private LimitsPage(LimitsReport report) {
        this.report = report;
    }

    static ReportPage of(LimitsReport report, String command) {
        return new LimitsPage(report).page(command);
    }

    private ReportPage page(String command) {
        List<ReportPage.Section> sections = new ArrayList<>();
        sections.add(new ReportPage.Section("Goals", goalText(), List.of(nearness(), goals())));
        report.figures().stream()
                .map(MeasuredCase::limit)
                .distinct()
                .forEach(limit -> sections.add(new ReportPage.Section(limit.title(), "", figures(limit))));
        sections.add(new ReportPage.Section("All of it as text", report.text(), List.of()));
        return new ReportPage("Limits", summary(command), sections).withFailures(report.flaws());
    }

    private String summary(String command) {
        LimitsReport.LimitsConditions conditions = report.conditions();
        long found =
                report.goals().stream().filter(goal -> goal.found() != null).count();
        long missed = report.goals().stream().filter(GoalVerdict::isMissed).count();
        return format(
                "%s on %s with %d processors for clients, data planes and storage together: of %d goals %d were measured and %d reached.",
                command,
                conditions.system(),
                conditions.processors(),
                report.goals().size(),
                found,
                found - missed);
    }

    private String goalText() {
        List<String> paragraphs = new ArrayList<>();
        paragraphs.add("Nearness is what was found over the goal where more is better, and the goal over what was found"
                + " where less is: from 1 on a goal is reached.");
        report.missing().forEach(one -> paragraphs.add("Missing: " + one + "."));
        return String.join("\n\n", paragraphs);
    }

    private Figure nearness() {
        List<Figure.Bar> bars = new ArrayList<>();
        for (GoalVerdict goal : report.goals()) {
            Spread found = goal.found();
            if (found != null) {
                double low = nearness(goal, found.min());
                double high = nearness(goal, found.max());
                bars.add(new Figure.Bar(
                        goal.limit().title(),
                        goal.text() + ", " + goal.quantity(),
                        nearness(goal, found.median()),
                        Math.min(low, high),
                        Math.max(low, high)));
            }
        }
        return new Figure.Bars("Nearness to the goal", "", bars);
    }

    private static double nearness(GoalVerdict goal, double value) {
        return goal.atLeast() ? value / goal.bound() : goal.bound() / value;
    }

    private Figure goals() {
        return new Figure.Table(
                "Goals",
                List.of("figure", "unit", "goal", "found", "outcome"),
                report.goals().stream().map(LimitsPage::row).toList());
    }

    private static List<String> row(GoalVerdict goal) {
        Spread found = goal.found();
        return List.of(
                goal.text(),
                goal.quantity().toString(),
                (goal.atLeast() ? ">= " : "<= ") + Numbers.text(goal.bound()),
                found == null ? "" : Numbers.text(found.median(), found.min(), found.max()),
                found == null ? "not measured" : LimitsTable.outcome(goal));
    }

    private List<Figure> figures(Limit limit) {
        List<MeasuredCase> all =
                report.figures().stream().filter(one -> one.limit() == limit).toList();
        return all.stream()
                .map(MeasuredCase::quantity)
                .distinct()
                .<Figure>map(quantity -> new Figure.Bars(
                        limit.title() + ", " + quantity,
                        quantity.toString(),
                        all.stream()
                                .filter(one -> one.quantity() == quantity)
                                .map(LimitsPage::bar)
                                .toList()))
                .toList();
    }

    private static Figure.Bar bar(MeasuredCase one) {
        String clients = switch (one.clients()) {
            case 0 -> one.what();
            case 1 -> "1 client";
            default -> one.clients() + " clients";
        };
        return new Figure.Bar(
                one.what(),
                clients,
                one.median(),
                one.spread().min(),
                one.spread().max());
    }
}
