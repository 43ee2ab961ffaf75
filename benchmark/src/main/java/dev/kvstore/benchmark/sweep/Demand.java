package dev.kvstore.benchmark.sweep;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The demand on a service, from which the number of servers follows.
 *
 * @param text as it was given
 * @param value iterations a second, or bytes a second in both directions
 * @param inBytes which of the two
 */
record Demand(String text, double value, boolean inBytes) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(GB/s)?");
    private static final double GIGABYTE = 1e9;

    /**
     * Reads {@code --target}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Demand parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Double.parseDouble(matcher.group(1)) <= 0) {
            throw new IllegalArgumentException("--target: cannot be \"" + text
                    + "\"; give iterations a second, as in 2000, or bytes, as in 10GB/s");
        }
        boolean inBytes = matcher.group(2) != null;
        return new Demand(text, Double.parseDouble(matcher.group(1)) * (inBytes ? GIGABYTE : 1), inBytes);
    }

    /** The demand over the throughput of a step, rounded up; 0 for a step that did nothing. */
    long servers(SweepStep step) {
        double one =
                inBytes ? step.bytesPerSecond() : step.iterationsPerSecond().median();
        return one == 0 ? 0 : (long) Math.ceil(value / one);
    }
}
