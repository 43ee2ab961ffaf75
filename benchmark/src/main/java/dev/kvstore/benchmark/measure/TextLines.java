package dev.kvstore.benchmark.measure;

import java.util.Locale;

/** Plain text, a line at a time, its numbers written the same wherever this runs. For one thread. */
public final class TextLines {
    private final StringBuilder lines = new StringBuilder();

    /** Adds a line, without the blanks at its end. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for two methods
    public void line(String format, Object... arguments) {
        lines.append(format(format, arguments).stripTrailing()).append('\n');
    }

    /** As {@link String#format}. */
    @SuppressWarnings("AnnotateFormatMethod")
    public static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}
