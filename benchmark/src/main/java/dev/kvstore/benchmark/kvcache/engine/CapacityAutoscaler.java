package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.ScaleRules;

/** Adds users until that brings no more throughput. For one thread at a time. */
public final class CapacityAutoscaler extends Autoscaler {
    private static final double BETTER = 1.01;
    private static final double FIRST_STEP = 0.4;
    private static final double STEP = 0.2;
    private static final int LEAST_STEP = 5;
    private static final int MOST_STEP = 100;
    private static final int NO_BETTER = 2;

    private int samples;
    private int noBetter;
    private double peak;
    private int peakUsers;

    public CapacityAutoscaler(int users, ScaleRules rules) {
        super(users, rules);
    }

    @Override
    public String mode() {
        return "capacity";
    }

    /** The highest throughput so far, in tokens a second. */
    public double peak() {
        return peak;
    }

    /** How many users there were then. */
    public int peakUsers() {
        return peakUsers;
    }

    @Override
    public ScaleAction decide(SaturationSample sample) {
        boolean first = samples++ == 0;
        if (first || sample.throughput() > peak * BETTER) {
            peak = sample.throughput();
            peakUsers = users();
            noBetter = 0;
            int step = (int) (users() * (first ? FIRST_STEP : STEP));
            return change(users() + Math.clamp(step, LEAST_STEP, MOST_STEP));
        }
        noBetter++;
        return noBetter < NO_BETTER ? ScaleAction.HOLD : ScaleAction.STOP;
    }
}
