package dev.kvstore.benchmark.kvcache.suite;

import java.util.List;
import java.util.Locale;

/** {@code --rates}: the same load at rising rates, to find the one up to which requests are answered in time. */
public final class RateSweep {
    /** The share of the offered requests that must be answered within their class' target. */
    public static final double IN_TIME = 0.95;

    private RateSweep() {}

    /**
     * How it went at one rate.
     *
     * @param rate requests a second that were meant to arrive
     * @param offered requests of the window
     * @param withinTarget of them, answered in the window within their class' target, from the intended start
     */
    public record RatePoint(double rate, long offered, long withinTarget) {
        /** 0 to 1; 1 if nothing was offered. */
        public double inTime() {
            return offered == 0 ? 1 : (double) withinTarget / offered;
        }
    }

    /** A run for each rate. */
    public static List<SuiteRun> runs(List<Double> rates, String arrival) {
        return rates.stream()
                .map(rate -> {
                    String name = text(rate);
                    List<String> flags = List.of("--arrival=" + arrival, "--request-rate=" + name);
                    return new SuiteRun(name, 1, flags, List.of(), "", "rate-" + name + ".json");
                })
                .toList();
    }

    private static String text(double rate) {
        return rate == Math.rint(rate) ? Long.toString(Math.round(rate)) : String.format(Locale.ROOT, "%s", rate);
    }

    /**
     * The highest rate up to which at each rate enough was answered in time; 0 if not even at the lowest.
     *
     * @param points by rising rate
     */
    public static double knee(List<RatePoint> points) {
        double knee = 0;
        for (RatePoint point : points) {
            if (point.inTime() < IN_TIME) {
                return knee;
            }
            knee = point.rate();
        }
        return knee;
    }
}
