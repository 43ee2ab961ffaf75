package dev.kvstore.dataplane.account.control;

import java.time.Duration;

/**
 * How long and how much, where {@link #USUAL} is for any data plane. Immutable.
 *
 * @param deadline most that a question may take, a call waiting for it
 * @param silence after which a watch counts as dead; the control plane says something once a second
 * @param firstPause before a lost watch is taken up again; twice as long each time it fails, and up to half less
 * @param longestPause most of that
 * @param grantedBytes most heap of answers kept that grant something, about: 1.1 kB each, 0.3 kB each of its rights, and
 *     twice what they take on the wire
 * @param refused most answers kept of keys that are unknown, and as many of resources that are not granted: apart, so
 *     that who guesses pushes nobody out
 * @param questions most asked at a time of keys that were found good before, and as many of others: apart, so that who
 *     guesses keeps nobody waiting
 */
record Bounds(
        Duration deadline,
        Duration silence,
        Duration firstPause,
        Duration longestPause,
        long grantedBytes,
        int refused,
        int questions) {
    static final Bounds USUAL = new Bounds(
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            64 << 20,
            10_000,
            64);

    /** For how long answers serve that nobody confirms, at most; an account may say less. */
    static final Duration SURVIVAL = Duration.ofHours(24);

    /** After which an answer is asked for again, beside the call that uses it. */
    static final Duration REFRESH = Duration.ofSeconds(60);

    /** After which that is tried again, if nobody answered. */
    static final Duration REFRESH_AGAIN = Duration.ofSeconds(10);

    /**
     * For how long nobody is asked again about an answer that is too old and that nobody renewed: else each call, and each block
     * of a stream, would wait for {@code deadline}.
     */
    static final Duration UNANSWERED = Duration.ofSeconds(1);

    /** For how long a key is taken for unknown, unless it is heard to have changed. */
    static final Duration UNKNOWN = Duration.ofSeconds(5);
}
