package dev.kvstore.benchmark.sweep;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate on the command line: iterations a second, or a number with a unit.
 *
 * @param value in that unit
 * @param hasUnit whether it has one: {@code %} of the closed loop's peak, or {@code GB/s} in both directions together
 */
record LoadRate(double value, boolean hasUnit) {
    private static final Pattern OPEN_LOOP = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(%)?");
    private static final Pattern TARGET = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(GB/s)?");
    private static final double LEAST = 0.1;
    private static final double MOST_PERCENT = 200;
    private static final double MOST = 1_000_000;
    private static final double GIGABYTE = 1e9;

    /**
     * Reads one of {@code --rate}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static LoadRate openLoop(String text) {
        LoadRate rate = parse(OPEN_LOOP, text);
        if (rate.value < LEAST || rate.value > (rate.hasUnit ? MOST_PERCENT : MOST)) {
            throw new IllegalArgumentException(
                    "--rate: cannot be \"" + text
                            + "\"; give iterations a second, 0.1 to 1000000, or a share of the closed loop's peak, 0.1% to 200%");
        }
        return rate;
    }

    /**
     * Reads {@code --target}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static LoadRate target(String text) {
        LoadRate rate = parse(TARGET, text);
        if (rate.value <= 0) {
            throw new IllegalArgumentException("--target: cannot be \"" + text
                    + "\"; give iterations a second, as in 2000, or bytes, as in 10GB/s");
        }
        return rate;
    }

    /** The rate, 0 if there is none. */
    private static LoadRate parse(Pattern form, String text) {
        Matcher matcher = form.matcher(text);
        return matcher.matches()
                ? new LoadRate(Double.parseDouble(matcher.group(1)), matcher.group(2) != null)
                : new LoadRate(0, false);
    }

    /**
     * Iterations per second of an open loop.
     *
     * @param peak of the closed loop
     */
    double iterationsPerSecond(double peak) {
        return hasUnit ? value / 100 * peak : value;
    }

    /** How many services take this target that do what a step did, rounded up; 0 for a step that did nothing. */
    long servers(SweepStep step) {
        double one = hasUnit
                ? step.bytesPerSecond() / GIGABYTE
                : step.iterationsPerSecond().median();
        return one == 0 ? 0 : (long) Math.ceil(value / one);
    }
}
