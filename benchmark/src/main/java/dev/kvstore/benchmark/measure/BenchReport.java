package dev.kvstore.benchmark.measure;

import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/** The report of a {@code kv bench} command. Its record components are the JSON. */
public interface BenchReport {
    /** For people: plain text, with the promises that did not hold at its end. */
    String text();

    /**
     * The same with charts, for {@code --report}.
     *
     * @param command such as {@code kv bench sweep}
     */
    default ReportPage page(String command) {
        return new ReportPage(command, "", List.of(new ReportPage.Section("Figures", text(), List.of())));
    }

    /** Whether what the command promises held, and it was not interrupted. */
    default boolean holds() {
        return true;
    }
}
