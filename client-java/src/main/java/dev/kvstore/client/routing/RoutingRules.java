package dev.kvstore.client.routing;

import java.time.Duration;

/** Every constant of the policy, with its reason. */
public final class RoutingRules {
    /**
     * How much more than its share of what is under way a process may carry before a key moves on to its next choice:
     * the balancing parameter c = 1 + epsilon of Mirrokni, Thorup and Zadimoghaddam, Consistent Hashing with Bounded
     * Loads (SODA 2018). 1.25 is what its first users settled on (Vimeo, HAProxy): less moves too many keys away from
     * what is cached for them, more lets one process fall behind.
     */
    public static final double LOAD_FACTOR = 1.25;

    /**
     * Operations a process may always carry, whatever the others do. A data plane runs 100 at a time; where a client
     * has a handful under way, moving one to an idle process costs a miss in the cache and gains nothing.
     */
    public static final int LEAST_BOUND = 8;

    /**
     * How long a process is left alone after its first failure; n times as long after the n-th in a row (Envoy's rule
     * for {@code base_ejection_time}). Envoy has 30 s, for hosts that only its health checks remove; here routes lose a
     * dead process within one lease of 15 s, and a restarted one should not wait.
     */
    public static final Duration EJECTION_BASE = Duration.ofSeconds(1);

    /** But no longer than this: two leases. What still fails then is for the control plane to remove. */
    public static final Duration EJECTION_MOST = Duration.ofSeconds(30);

    /**
     * Operations in a row that ran into their own deadlines without a byte from the process, before it is ejected:
     * Envoy's {@code consecutive_5xx}. One alone may have been in too great a hurry.
     */
    public static final int TIMEOUTS_TO_EJECT = 5;

    /**
     * An operation that was given less time than this counts for none of those: a round trip between continents takes
     * longer, and a pause of a garbage collector may.
     */
    public static final Duration TIMEOUT_LEAST = Duration.ofMillis(100);

    /**
     * Of so much of a level at least use is made while nothing else can take its work, the least bad of those that
     * answered with UNAVAILABLE or too late among it: Envoy's panic threshold. What all say is seldom the fault of
     * each, and the few that are left would be overrun. Processes that cannot be reached at all are not counted in.
     */
    public static final double LEAST_USED = 0.5;

    /**
     * Over so long keys come back to a level that was away, each at a moment of its own: at once they would all find
     * cold caches and empty connections together. Two leases, so that a level that flaps is not filled in between.
     */
    public static final Duration RETURN = Duration.ofSeconds(30);

    private RoutingRules() {}
}
