package dev.kvstore.benchmark.sweep.step;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A rate on the command line: a number of iterations a second, or of another unit. */
public record LoadRate(double value, RateUnit unit) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(\\D*)");
    private static final double LEAST = 0.1;
    private static final double MOST_PERCENT = 200;
    private static final double MOST = 1_000_000;

    /** The unit of a rate. */
    enum RateUnit {
        ITERATIONS(""),
        /** Of the closed loop's peak. */
        PERCENT("%"),
        /** In both directions together. */
        GIGABYTES("GB/s"),
        KILOTOKENS("ktok/s"),
        MEGATOKENS("Mtok/s");

        private final String text;

        RateUnit(String text) {
            this.text = text;
        }
    }

    /**
     * Reads one of {@code --rate}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static LoadRate openLoop(String text) {
        LoadRate rate = parse(text, Set.of(RateUnit.ITERATIONS, RateUnit.PERCENT));
        if (rate.value < LEAST || rate.value > (rate.unit == RateUnit.PERCENT ? MOST_PERCENT : MOST)) {
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
    public static LoadRate target(String text) {
        LoadRate rate =
                parse(text, Set.of(RateUnit.ITERATIONS, RateUnit.GIGABYTES, RateUnit.KILOTOKENS, RateUnit.MEGATOKENS));
        if (rate.value <= 0) {
            throw new IllegalArgumentException("--target: cannot be \"" + text
                    + "\"; give iterations a second, as in 2000, bytes, as in 10GB/s, or tokens, as in 500ktok/s or"
                    + " 10Mtok/s");
        }
        return rate;
    }

    /** The rate, 0 if there is none. */
    private static LoadRate parse(String text, Set<RateUnit> units) {
        Matcher matcher = FORM.matcher(text);
        return !matcher.matches()
                ? new LoadRate(0, RateUnit.ITERATIONS)
                : units.stream()
                        .filter(unit -> unit.text.equals(matcher.group(2)))
                        .findFirst()
                        .map(unit -> new LoadRate(Double.parseDouble(matcher.group(1)), unit))
                        .orElse(new LoadRate(0, RateUnit.ITERATIONS));
    }

    /**
     * Iterations per second of an open loop.
     *
     * @param peak of the closed loop
     */
    public double iterationsPerSecond(double peak) {
        return unit == RateUnit.PERCENT ? value / 100 * peak : value;
    }

    /** How many services take this target that do what a step did, rounded up; 0 for a step that did nothing. */
    public long servers(SweepStep step) {
        double one = switch (unit) {
            case GIGABYTES -> step.bytesPerSecond() / 1e9;
            case KILOTOKENS -> step.tokensPerSecond() / 1e3;
            case MEGATOKENS -> step.tokensPerSecond() / 1e6;
            case ITERATIONS, PERCENT -> step.throughput();
        };
        return one == 0 ? 0 : (long) Math.ceil(value / one);
    }
}
