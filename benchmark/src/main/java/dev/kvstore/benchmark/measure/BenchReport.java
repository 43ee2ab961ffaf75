package dev.kvstore.benchmark.measure;

import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/**
 * The report of a {@code kv bench} command. Its record components are the JSON; its page is what people read, in a
 * terminal and with charts.
 */
public interface BenchReport {
    /** The promises of the command that did not hold, and whether it was interrupted, a sentence each. */
    default List<String> failures() {
        return List.of();
    }

    /** Whether all promises of the command held, and it was not interrupted. */
    default boolean holds() {
        return failures().isEmpty();
    }

    /**
     * The figures, in the order of reading, without the failures.
     *
     * @param command such as {@code kv bench sweep}
     */
    ReportPage page(String command);

    /** The page for a terminal, with the failures at its end. */
    default String text() {
        return page("").text(failures());
    }
}
