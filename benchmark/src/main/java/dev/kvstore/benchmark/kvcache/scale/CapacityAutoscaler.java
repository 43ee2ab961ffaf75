package dev.kvstore.benchmark.kvcache.scale;

/** Adds users until that brings no more throughput. For one thread at a time. */
public final class CapacityAutoscaler implements Autoscaler {
    private static final double BETTER = 1.01;
    private static final double FIRST_STEP = 0.4;
    private static final double STEP = 0.2;
    private static final int LEAST_STEP = 5;
    private static final int MOST_STEP = 100;
    private static final int NO_BETTER = 2;

    private final ScaleRules rules;
    private int users;
    private int samples;
    private int noBetter;
    private double peak;
    private int peakUsers;

    public CapacityAutoscaler(int users, ScaleRules rules) {
        this.rules = rules;
        this.users = rules.clamp(users);
    }

    @Override
    public String mode() {
        return "capacity";
    }

    @Override
    public int users() {
        return users;
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
            peakUsers = users;
            noBetter = 0;
            return more(first ? FIRST_STEP : STEP);
        }
        noBetter++;
        return noBetter < NO_BETTER ? ScaleAction.HOLD : ScaleAction.STOP;
    }

    private ScaleAction more(double part) {
        int step = Math.clamp((int) (users * part), LEAST_STEP, MOST_STEP);
        int more = rules.clamp(users + step);
        if (more == users) {
            return ScaleAction.HOLD;
        }
        users = more;
        return ScaleAction.SCALE_UP;
    }
}
