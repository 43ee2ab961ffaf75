package dev.kvstore.dataplane.account.control;

import java.time.Duration;

/**
 * The bounds of questions and answers; {@link #USUAL} suits any data plane. Immutable.
 *
 * @param deadline longest time of a question, for which a call waits
 * @param silence time without a message after which a watch counts as dead; the control plane sends one each second
 * @param firstPause before a lost watch is taken up again; twice as long each time it fails, and up to half less
 * @param longestPause the longest such pause
 * @param grantedBytes approximate most heap of kept answers that grant something: 1.1 kB each, 0.3 kB each of its
 *     rights, and twice their bytes on the wire
 * @param refused most kept answers about unknown keys, and as many about resources that are not granted: apart, so that
 *     guessed keys push out no others
 * @param questions most questions at a time about keys that were found good before, and as many about others: apart, so
 *     that guessed keys delay no others
 */
record ResolverBounds(
        Duration deadline,
        Duration silence,
        Duration firstPause,
        Duration longestPause,
        long grantedBytes,
        int refused,
        int questions) {
    static final ResolverBounds USUAL = new ResolverBounds(
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            64 << 20,
            10_000,
            64);

    /** Longest use of answers without a confirmation; an account may allow less. */
    static final Duration SURVIVAL = Duration.ofHours(24);

    /** Age at which an answer is renewed in the background of the call that uses it. */
    static final Duration REFRESH = Duration.ofSeconds(60);

    /** Time after which a renewal without an answer is tried again. */
    static final Duration REFRESH_AGAIN = Duration.ofSeconds(10);

    /**
     * How long the control plane is not asked again about an answer that is too old and could not be renewed. Otherwise
     * each call, and each block of a stream, would wait for {@code deadline}.
     */
    static final Duration UNANSWERED = Duration.ofSeconds(1);

    /** How long a key counts as unknown, unless a change of it arrives. */
    static final Duration UNKNOWN = Duration.ofSeconds(5);
}
