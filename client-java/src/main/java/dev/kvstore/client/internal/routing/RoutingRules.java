package dev.kvstore.client.internal.routing;

import java.time.Duration;

/** The constants of the routing policy, each with its reason. */
public final class RoutingRules {
    /**
     * The factor by which a data plane may exceed its share of this client's open operations before a key moves on to
     * its next choice: the balancing parameter c = 1 + epsilon of Mirrokni, Thorup and Zadimoghaddam, Consistent
     * Hashing with Bounded Loads (SODA 2018). 1.25 is the choice of its first users (Vimeo, HAProxy): a lower value
     * moves too many keys away from their cached blocks, a higher one lets one data plane fall behind.
     */
    public static final double LOAD_FACTOR = 1.25;

    /**
     * The number of open operations that a data plane may always have, whatever the others have. A data plane runs 100
     * at a time; where a client has a handful under way, moving one to an idle process costs a miss in the cache and
     * gains nothing.
     */
    public static final int LEAST_BOUND = 8;

    /**
     * The time in which a data plane gets no operations after its first failure; n times as long after the n-th failure
     * in a row (Envoy's rule for {@code base_ejection_time}). Envoy has 30 s, for hosts that only its health checks
     * remove. Here a dead data plane leaves the routes within one lease of 15 s, and a restarted one should not wait.
     */
    public static final Duration EJECTION_BASE = Duration.ofSeconds(1);

    /** The longest ejection: two leases. By then the control plane removes a data plane that still fails. */
    public static final Duration EJECTION_MOST = Duration.ofSeconds(30);

    /**
     * The number of operations in a row that meet their deadlines without a byte from the data plane before it is
     * ejected: Envoy's {@code consecutive_5xx}. The deadline of a single operation may have been too short.
     */
    public static final int TIMEOUTS_TO_EJECT = 5;

    /**
     * The least deadline of an operation that counts towards {@link #TIMEOUTS_TO_EJECT}: a round trip between
     * continents takes longer, and so may a pause of a garbage collector.
     */
    public static final Duration TIMEOUT_LEAST = Duration.ofMillis(100);

    /**
     * The least part of a level that is used while no other level can take its work, the least bad of its ejected data
     * planes included: Envoy's panic threshold. If most fail, the data planes themselves are seldom the cause, and the
     * few that are left would be overrun. Data planes that cannot be reached at all are not used.
     */
    public static final double LEAST_USED = 0.5;

    /**
     * The time in which the keys of a level return after it was away, each at its own moment. If all returned at once,
     * they would find cold caches and no connections. The time is two leases, so that a flapping level is not filled in
     * between.
     */
    public static final Duration RETURN = Duration.ofSeconds(30);

    private RoutingRules() {}
}
