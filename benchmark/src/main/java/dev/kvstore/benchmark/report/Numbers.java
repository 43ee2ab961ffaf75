package dev.kvstore.benchmark.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as tables and charts have them. */
public final class Numbers {
    /** The text for a value that is no number. */
    static final String NONE = "\u2013";

    // More is beyond what any run repeats.
    private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);
    private static final double WHOLE = 1_000;
    private static final double MOST = 1e15;

    private Numbers() {}

    /** {@link String#format} with numbers as they are written everywhere. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for one method
    public static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    public static String text(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Whole from 1,000 on, with 4 digits below. */
    public static String text(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        if (Math.abs(value) >= MOST) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        if (Math.abs(value) >= WHOLE || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS);
        return Math.abs(rounded.doubleValue()) >= WHOLE
                ? text(rounded.doubleValue())
                : rounded.stripTrailingZeros().toPlainString();
    }

    /** With the least and the most value that was seen, if they differ from the value. */
    public static String text(double value, double low, double high) {
        return low < high ? text(value) + " (" + text(low) + NONE + text(high) + ")" : text(value);
    }

    /** With a unit, which may be empty. */
    static String label(String name, String unit) {
        return unit.isEmpty() ? name : name + " (" + unit + ")";
    }
}
