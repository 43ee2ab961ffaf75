package dev.kvstore.benchmark.kvcache.scale;

/**
 * The numbers of both autoscalers, from {@code autoscaler} in the config file.
 *
 * @param leastUsers 1 or more
 * @param mostUsers at least as many
 * @param up the number of users is multiplied with, when storage can take more
 * @param down the same when it takes too much
 * @param samples saturated samples in a row after which users are taken away
 * @param leastStep users that come at least; 0 as the original, where a fifth of four users is none
 */
public record ScaleRules(int leastUsers, int mostUsers, double up, double down, int samples, int leastStep) {
    /** The rules of the original, except for the least step. */
    public static final ScaleRules USUAL = new ScaleRules(1, 10_000, 1.2, 0.8, 2, 1);

    /** The same, with another highest number of users. */
    public ScaleRules withMost(int users) {
        return new ScaleRules(Math.min(leastUsers, users), users, up, down, samples, leastStep);
    }

    int clamp(int users) {
        return Math.clamp(users, leastUsers, mostUsers);
    }
}
