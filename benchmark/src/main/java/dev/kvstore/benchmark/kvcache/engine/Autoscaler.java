package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.ScaleRules;
import java.util.Locale;

/** Decides how many users there are in the next interval. For one thread at a time. */
public abstract sealed class Autoscaler permits QosAutoscaler, CapacityAutoscaler {
    private final ScaleRules rules;
    private int users;

    Autoscaler(int users, ScaleRules rules) {
        this.rules = rules;
        this.users = rules.clamp(users);
    }

    /** The name of this kind of autoscaler in the JSON. */
    public abstract String mode();

    /** The decision after an interval. */
    public abstract ScaleAction decide(SaturationSample sample);

    /** How many users there are now. */
    public int users() {
        return users;
    }

    ScaleRules rules() {
        return rules;
    }

    /** Has so many users, or as many as the rules allow. */
    ScaleAction change(int wanted) {
        int before = users;
        users = rules.clamp(wanted);
        return users == before ? ScaleAction.HOLD : users > before ? ScaleAction.SCALE_UP : ScaleAction.SCALE_DOWN;
    }

    /**
     * Measures of an interval.
     *
     * @param saturation of storage: 1 at the thresholds of the config file, above it beyond them
     * @param throughput tokens a second
     */
    public record SaturationSample(double saturation, double throughput) {}

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
}
