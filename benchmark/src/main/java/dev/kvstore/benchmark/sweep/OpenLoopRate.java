package dev.kvstore.benchmark.sweep;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast an open loop goes.
 *
 * @param value iterations a second, or the share of a closed loop's peak that it is to be
 * @param ofPeak whether it is a share
 */
record OpenLoopRate(double value, boolean ofPeak) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(%?)");
    private static final double MOST_PERCENT = 200;
    private static final double MOST = 1_000_000;
    private static final double LEAST = 0.1;

    /**
     * Reads one of {@code --rate}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static OpenLoopRate parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            boolean percent = !matcher.group(2).isEmpty();
            double number = Double.parseDouble(matcher.group(1));
            if (number >= LEAST && number <= (percent ? MOST_PERCENT : MOST)) {
                return new OpenLoopRate(percent ? number / 100 : number, percent);
            }
        }
        throw new IllegalArgumentException("--rate: cannot be \"" + text
                + "\"; give iterations a second, 0.1 to 1000000, or a share of the closed loop's peak, 0.1% to 200%");
    }

    double iterationsPerSecond(double peak) {
        return ofPeak ? value * peak : value;
    }

    @Override
    public String toString() {
        return ofPeak ? String.format(Locale.ROOT, "%.0f%% of the peak", value * 100) : value + "/s";
    }
}
