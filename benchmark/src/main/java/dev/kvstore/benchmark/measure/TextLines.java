package dev.kvstore.benchmark.measure;

import dev.kvstore.benchmark.report.Numbers;

/** Plain text, a line at a time, its numbers written the same wherever this runs. For one thread. */
public final class TextLines {
    private final StringBuilder lines = new StringBuilder();

    /** Adds a line, without the blanks at its end. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for two methods
    public void line(String format, Object... arguments) {
        lines.append(Numbers.format(format, arguments).stripTrailing()).append('\n');
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}
