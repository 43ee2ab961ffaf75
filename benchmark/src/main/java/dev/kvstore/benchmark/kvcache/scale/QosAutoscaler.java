package dev.kvstore.benchmark.kvcache.scale;

/** Keeps storage about as saturated as it is told. For one thread at a time. */
public final class QosAutoscaler implements Autoscaler {
    private static final double TOO_MUCH = 1.1;
    private static final double TOO_LITTLE = 0.9;

    /** Intervals after users were taken away, for queues to become shorter. */
    private static final int COOLDOWN = 3;

    private final ScaleRules rules;
    private final double target;
    private int users;
    private int saturated;
    private int cooldown;

    /** @param target saturation, above 0 */
    public QosAutoscaler(int users, double target, ScaleRules rules) {
        this.users = rules.clamp(users);
        this.target = target;
        this.rules = rules;
    }

    @Override
    public String mode() {
        return "qos";
    }

    @Override
    public int users() {
        return users;
    }

    @Override
    public ScaleAction decide(SaturationSample sample) {
        if (cooldown > 0) {
            cooldown--;
            return ScaleAction.HOLD;
        }
        if (sample.saturation() > target * TOO_MUCH) {
            saturated++;
            return saturated < rules.samples() ? ScaleAction.HOLD : lessUsers();
        }
        saturated = 0;
        return sample.saturation() < target * TOO_LITTLE ? moreUsers() : ScaleAction.HOLD;
    }

    private ScaleAction lessUsers() {
        int less = rules.clamp((int) (users * rules.down()));
        if (less == users) {
            return ScaleAction.HOLD;
        }
        users = less;
        saturated = 0;
        cooldown = COOLDOWN;
        return ScaleAction.SCALE_DOWN;
    }

    private ScaleAction moreUsers() {
        int more = rules.clamp(Math.max(users + rules.leastStep(), (int) (users * rules.up())));
        if (more == users) {
            return ScaleAction.HOLD;
        }
        users = more;
        return ScaleAction.SCALE_UP;
    }
}
