package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.function.Function;

/** The report with bars. */
final class PythonPage {
    private PythonPage() {}

    static ReportPage of(PythonReport report, String command) {
        ReportPage page = new ReportPage(
                command,
                "The Python client beside other ways to bring blocks into a Python process.",
                List.of(
                        new ReportPage.Section("Figures", report.text(), List.of()),
                        section(report, PythonOperation.READ, "Reading"),
                        section(report, PythonOperation.WRITE, "Writing")));
        return page.withFailures(report.flaws());
    }

    private static ReportPage.Section section(PythonReport report, PythonOperation operation, String heading) {
        return new ReportPage.Section(
                heading,
                "",
                List.of(
                        bars(report, operation, heading + ": throughput", "GB/s", PythonCase::gbPerSecond),
                        bars(
                                report,
                                operation,
                                heading + ": the client's processor time",
                                "s/GB",
                                PythonCase::clientCpuSecondsPerGb)));
    }

    private static Figure.Bars bars(
            PythonReport report,
            PythonOperation operation,
            String caption,
            String unit,
            Function<PythonCase, Spread> figure) {
        List<Figure.Bar> bars = report.cases().stream()
                .filter(one -> one.operation() == operation)
                .map(one -> bar(one, figure.apply(one)))
                .toList();
        return new Figure.Bars(caption, unit, bars);
    }

    private static Figure.Bar bar(PythonCase one, Spread value) {
        String group = one.besideBusyThread() ? "beside a busy thread" : "alone";
        return new Figure.Bar(group, one.peer().title(), value.median(), value.min(), value.max());
    }
}
