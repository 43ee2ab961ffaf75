package dev.kvstore.clusters.fleet;

import java.time.Duration;

/** The constants of membership and routing, all in one place, each with its reason. */
public final class Rules {
    /** How often a process says that it is there. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** How long a lease lasts: two heartbeats may be lost and the third be late, and the process still has it. */
    public static final Duration LEASE = HEARTBEAT.multipliedBy(3);

    /** How often each control plane reads the fleet: what has changed is in its routes after so long at most. */
    public static final Duration SNAPSHOT = Duration.ofSeconds(1);

    /** How often rows of processes without a lease are deleted. */
    public static final Duration EVICTION_PASS = Duration.ofSeconds(5);

    /**
     * The share of a region's processes whose rows one pass may delete (one at least): who cannot be heard by the registry is
     * not gone for that (self-preservation, as Eureka's, whose renewal threshold is 85 %).
     */
    public static final double EVICTION_SHARE = 0.15;

    /**
     * How long after its lease has ended a row may be deleted: as long as the lease was. Who is heard of again by then goes
     * on with its lease, and in panic there is something to route to.
     */
    public static final Duration EVICTION_AFTER = LEASE;

    /**
     * If for longer than this no control plane reached the database, nobody could have renewed a lease, and those that held
     * one have it for as much longer: a process that is well is heard once in this time.
     */
    public static final Duration PAUSE = HEARTBEAT;

    /**
     * A level is given work as if it had this many times what is well of it, until it has all: so it keeps its work until
     * more than 1 - 1/1.4 = 29 % of it are gone (Envoy's overprovisioning factor).
     */
    public static final double OVERPROVISIONING = 1.4;

    /** Of a level with less than this share well, all is routed to, if no other level can take the work (Envoy: panic). */
    public static final double PANIC = 0.5;

    /** How long the weight of a process that has just joined rises to what it is worth. */
    public static final Duration SLOW_START = Duration.ofSeconds(30);

    /** The weight it begins with, of what it is worth (Envoy's min_weight_percent). */
    public static final double SLOW_START_FLOOR = 0.1;

    private Rules() {}
}
