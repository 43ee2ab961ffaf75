package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.ScaleRules;

/** Keeps storage about as saturated as it is told. For one thread at a time. */
public final class QosAutoscaler extends Autoscaler {
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
    public QosAutoscaler(int users, double target, ScaleRules rules, int leastStep) {
        super(users, rules);
        this.target = target;
        this.leastStep = leastStep;
    }

    @Override
    public String mode() {
        return "qos";
    }

    @Override
    public ScaleAction decide(SaturationSample sample) {
        if (cooldown > 0) {
            cooldown--;
            return ScaleAction.HOLD;
        }
        if (sample.saturation() > target * TOO_MUCH) {
            saturated++;
            return saturated < rules().consecutiveSamplesRequired() ? ScaleAction.HOLD : lessUsers();
        }
        saturated = 0;
        int more = Math.max(users() + leastStep, (int) (users() * rules().scaleUpFactor()));
        return sample.saturation() < target * TOO_LITTLE ? change(more) : ScaleAction.HOLD;
    }

    private ScaleAction lessUsers() {
        ScaleAction action = change((int) (users() * rules().scaleDownFactor()));
        if (action != ScaleAction.HOLD) {
            saturated = 0;
            cooldown = COOLDOWN;
        }
        return action;
    }
}
