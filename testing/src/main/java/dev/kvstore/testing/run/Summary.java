package dev.kvstore.testing.run;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The end of a run's output: failures, the slowest classes, skips with their reasons, the counts. */
record Summary(Results results, Path reports, Duration took) {
    private static final int SLOWEST = 10;
    // The cause is near the top; the whole trace is in a file.
    private static final int TRACE_LINES = 25;

    /** The file in the reports' folder with a class's whole failures. */
    static String failuresOf(String className) {
        return className + ".failures.txt";
    }

    void print(PrintStream out) {
        List<Event.Failed> failures = results.failures();
        for (Event.Failed failure : failures) {
            out.println();
            out.println("FAILED  " + failure.className() + ": " + failure.test());
            failure.trace().lines().limit(TRACE_LINES).forEach(line -> out.println("    " + line));
            out.println("    the whole of it: " + reports.resolve(failuresOf(failure.className())));
            out.println("    printed by the test: " + reports.resolve(failure.className() + ".txt"));
        }
        out.println();
        out.println("The slowest classes:");
        results.slowest().stream()
                .limit(SLOWEST)
                .forEach(entry -> out.printf(
                        "%9s  %s%n", RunProgress.seconds(entry.getValue()), RunProgress.shortName(entry.getKey())));
        printSkips(out);
        out.println();
        out.printf(
                "%s min, %,d generated cases; all that tests printed is in %s%n",
                RunProgress.minutes(took), results.generated(), reports);
        out.printf(
                "%d passed, %d failed, %d skipped%n",
                results.passed(), failures.size(), results.skips().size());
    }

    private void printSkips(PrintStream out) {
        Map<String, TreeSet<String>> byReason = new TreeMap<>();
        results.skips()
                .forEach(skip -> byReason.computeIfAbsent(skip.reasonOrSilence(), _ -> new TreeSet<>())
                        .add(RunProgress.shortName(skip.className()) + ": " + skip.test()));
        if (!byReason.isEmpty()) {
            out.println();
            out.println("Skipped:");
        }
        byReason.forEach((reason, tests) -> {
            out.printf("  %s (%d)%n", reason, tests.size());
            tests.stream().limit(3).forEach(test -> out.println("      " + test));
            if (tests.size() > 3) {
                out.printf("      and %d more%n", tests.size() - 3);
            }
        });
    }
}
