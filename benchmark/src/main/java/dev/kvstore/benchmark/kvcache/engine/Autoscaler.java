package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.ScaleRules;
import java.util.Locale;

/** Decides how many users there are in the next interval. For one thread at a time. */
public abstract sealed class Autoscaler {
    final ScaleRules rules;
    private int users;

    Autoscaler(int users, ScaleRules rules) {
        this.rules = rules;
        this.users = rules.clamp(users);
    }

    /**
     * The decision after an interval.
     *
     * @param saturation of storage: 1 at the thresholds of the config file, above it beyond them
     * @param throughput tokens a second
     */
    public abstract ScaleAction decide(double saturation, double throughput);

    /** How many users there are now. */
    public int users() {
        return users;
    }

    /** Has so many users, or as many as the rules allow. */
    ScaleAction change(int wanted) {
        int before = users;
        users = rules.clamp(wanted);
        return users == before ? ScaleAction.HOLD : users > before ? ScaleAction.SCALE_UP : ScaleAction.SCALE_DOWN;
    }

    /** The change of the number of users. */
    public enum ScaleAction {
        HOLD,
        SCALE_UP,
        SCALE_DOWN,
        /** The run ends: more users bring nothing. */
        STOP;

        /** The action's name in the JSON, such as {@code scale_down}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Keeps storage about as saturated as it is told. */
    public static final class Qos extends Autoscaler {
        private static final double TOO_MUCH = 1.1;
        private static final double TOO_LITTLE = 0.9;

        /** Intervals after users were taken away, for queues to become shorter. */
        private static final int COOLDOWN = 3;

        private final double target;
        private final int leastStep;
        private int saturated;
        private int cooldown;

        /**
         * @param target saturation, above 0
         * @param leastStep users that come at least; 0 as the original, where a fifth of four users is none
         */
        public Qos(int users, double target, ScaleRules rules, int leastStep) {
            super(users, rules);
            this.target = target;
            this.leastStep = leastStep;
        }

        @Override
        public ScaleAction decide(double saturation, double throughput) {
            if (cooldown > 0) {
                cooldown--;
                return ScaleAction.HOLD;
            }
            if (saturation <= target * TOO_MUCH) {
                saturated = 0;
                int more = Math.max(users() + leastStep, (int) (users() * rules.scaleUpFactor()));
                return saturation < target * TOO_LITTLE ? change(more) : ScaleAction.HOLD;
            }
            saturated++;
            if (saturated < rules.consecutiveSamplesRequired()) {
                return ScaleAction.HOLD;
            }
            ScaleAction action = change((int) (users() * rules.scaleDownFactor()));
            if (action != ScaleAction.HOLD) {
                saturated = 0;
                cooldown = COOLDOWN;
            }
            return action;
        }
    }

    /** Adds users until that brings no more throughput. */
    public static final class CapacitySearch extends Autoscaler {
        private static final double BETTER = 1.01;
        private static final double FIRST_STEP = 0.4;
        private static final double STEP = 0.2;
        private static final int LEAST_STEP = 5;
        private static final int MOST_STEP = 100;
        private static final int NO_BETTER = 2;

        private boolean began;
        private int noBetter;
        private double peak;
        private int peakUsers;

        public CapacitySearch(int users, ScaleRules rules) {
            super(users, rules);
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
        public ScaleAction decide(double saturation, double throughput) {
            if (began && throughput <= peak * BETTER) {
                noBetter++;
                return noBetter < NO_BETTER ? ScaleAction.HOLD : ScaleAction.STOP;
            }
            int step = (int) (users() * (began ? STEP : FIRST_STEP));
            began = true;
            peak = throughput;
            peakUsers = users();
            noBetter = 0;
            return change(users() + Math.clamp(step, LEAST_STEP, MOST_STEP));
        }
    }
}
