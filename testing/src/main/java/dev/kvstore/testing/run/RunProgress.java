package dev.kvstore.testing.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Shows the progress of a run: on a terminal one line that is rewritten again and again, else a line for each class
 * that has ended. Thread-safe.
 */
final class RunProgress {
    private static final String REWRITE = "\r\u001B[K";
    private static final int COLUMNS = 119;

    private final PrintStream out;
    private final boolean terminal;
    private final Stopwatch since;
    private final int classes;
    private final Set<String> running = new LinkedHashSet<>();
    private int ended;

    RunProgress(PrintStream out, boolean terminal, Stopwatch since, int classes) {
        this.out = out;
        this.terminal = terminal;
        this.since = since;
        this.classes = classes;
    }

    synchronized void started(TestModule module, String className) {
        running.add(label(module, className));
        rewrite();
    }

    synchronized void ended(TestModule module, String className, Duration time) {
        running.remove(label(module, className));
        ended++;
        if (terminal) {
            rewrite();
        } else {
            out.printf("%s  %s, %s%n", done(), label(module, className), seconds(time));
        }
    }

    /** Reports a failure at once. */
    synchronized void failed(Event.Failed failure) {
        out.printf("%sFAILED  %s: %s%n", terminal ? REWRITE : "", shortName(failure.className()), failure.test());
        failure.reason().lines().limit(3).forEach(line -> out.println("        " + line));
        rewrite();
    }

    /** Ends the line of the progress. */
    synchronized void close() {
        if (terminal) {
            out.print(REWRITE);
            out.flush();
        }
    }

    private void rewrite() {
        if (terminal) {
            String line = done() + "  " + running.stream().collect(Collectors.joining(", "));
            out.print(REWRITE + (line.length() > COLUMNS ? line.substring(0, COLUMNS) : line));
            out.flush();
        }
    }

    private String done() {
        return String.format("[%3d/%d] %s", ended, classes, minutes(since.elapsed()));
    }

    private static String label(TestModule module, String className) {
        return module.name() + " " + shortName(className);
    }

    static String shortName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    static String minutes(Duration time) {
        return String.format("%d:%02d", time.toMinutes(), time.toSecondsPart());
    }

    static String seconds(Duration time) {
        return String.format("%.1f s", time.toMillis() / 1000.0);
    }
}
