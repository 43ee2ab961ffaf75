package dev.kvstore.benchmark.kvcache.config;

/**
 * The numbers of both autoscalers.
 *
 * @param scaleUpFactor the number of users is multiplied with, when storage can take more
 * @param scaleDownFactor the same when it takes too much
 * @param consecutiveSamplesRequired saturated samples in a row after which users are taken away
 */
public record ScaleRules(
        int minUsers, int maxUsers, double scaleUpFactor, double scaleDownFactor, int consecutiveSamplesRequired) {
    public ScaleRules {
        if (maxUsers < minUsers) {
            throw new IllegalArgumentException("max_users must be at least min_users, not " + maxUsers);
        }
        if (!(scaleUpFactor > 1 && scaleUpFactor <= 100)) {
            throw new IllegalArgumentException("scale_up_factor must be above 1 up to 100, not " + scaleUpFactor);
        }
        if (!(scaleDownFactor > 0 && scaleDownFactor < 1)) {
            throw new IllegalArgumentException("scale_down_factor must be above 0 and below 1, not " + scaleDownFactor);
        }
    }

    /** The same, with another highest number of users. */
    public ScaleRules withMost(int users) {
        return new ScaleRules(
                Math.min(minUsers, users), users, scaleUpFactor, scaleDownFactor, consecutiveSamplesRequired);
    }

    /** The nearest number of users in the range. */
    public int clamp(int users) {
        return Math.clamp(users, minUsers, maxUsers);
    }
}
