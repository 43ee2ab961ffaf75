package dev.kvstore.clusters.fleet;

import java.time.Duration;
import java.util.List;

/** The constants of membership and routing, each with its reason. */
public final class Rules {
    /** The time between two heartbeats of a data plane. Tests of whole stacks set the property, to wait less. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(Long.getLong("dev.kvstore.test.heartbeat.seconds", 5));

    /** The time for which a lease lasts after a heartbeat: two heartbeats may be lost and the third may be late. */
    public static final Duration LEASE = HEARTBEAT.multipliedBy(3);

    /**
     * The time between two readings of the fleet by each control plane. A change is in its routes after this time at
     * most.
     */
    public static final Duration SNAPSHOT = Duration.ofSeconds(1);

    /** The time between two deletions of rows of processes without a lease. */
    public static final Duration EVICTION_PASS = Duration.ofSeconds(5);

    /**
     * The part of a region's data planes whose rows one pass may delete (at least one row). A data plane whose
     * heartbeats do not arrive may still serve (self-preservation, as in Eureka, whose renewal threshold is 85 %).
     */
    public static final double EVICTION_SHARE = 0.15;

    /**
     * The time from the end of a lease to when its row may be deleted. A data plane that sends a heartbeat before that
     * gets its lease back; and in panic there are rows to route to.
     */
    public static final Duration EVICTION_AFTER = LEASE;

    /**
     * If no control plane reached the database for longer than this, no lease could be renewed, and leases held at that
     * moment are prolonged by that time. A data plane that is well sends one heartbeat in this time.
     */
    public static final Duration PAUSE = HEARTBEAT;

    /**
     * A level gets work as if its data planes with leases were this many times as many. So it keeps all its work until
     * more than 1 - 1/1.4 = 29 % of them are gone (Envoy's overprovisioning factor).
     */
    public static final double OVERPROVISIONING = 1.4;

    /**
     * If less than this part of a level's data planes hold a lease, and no other level can take the work, all of them
     * get work (Envoy: panic).
     */
    public static final double PANIC = 0.5;

    /** The time in which the weight of a data plane that has just joined rises to its full value. */
    public static final Duration SLOW_START = Duration.ofSeconds(30);

    /** The part of the full weight with which a data plane begins its slow start (Envoy's min_weight_percent). */
    public static final double SLOW_START_FLOOR = 0.1;

    /**
     * A data plane with at least this part of its capacity free counts as idle. With {@link #OVERPROVISIONING} a level
     * begins to spill when its data planes are used to 1 - 0.28/1.4 = 80 %, before any of them refuses work; when they
     * are full it spills all work that others can take.
     */
    public static final double ROOM = 0.28;

    /**
     * The least part of its capacity that a data plane with a lease counts for. A data plane without work could never
     * show that it has room.
     */
    public static final double ROOM_FLOOR = 0.01;

    /**
     * The time after which a change of load counts for 63 %: six heartbeats. Work follows weights and weights follow
     * load one heartbeat late; a step of 1 - e^(-1/6) = 15 % a heartbeat keeps that from swinging up to 92 % of use for
     * weights, and up to a demand of 2.4 times what a level can take for spilling.
     */
    public static final Duration STEADYING = Duration.ofSeconds(30);

    /** The change of headroom, as a part, up to which a load is held, since each change moves conversations. */
    public static final double HOLD = 0.05;

    /** Steps of a slow start; each step makes a new route. */
    public static final int SLOW_START_STEPS = 10;

    /**
     * Most data planes that a route names, of its first level and of each further one: 128 in all, about 10 kB. 64 data
     * planes of 1 GB/s carry more than a client can take; further levels are for spilling.
     */
    public static final List<Integer> TARGETS = List.of(64, 32, 16, 16);

    /**
     * The number of lots into which accounts are divided, if a level has more data planes than a route names. With 64
     * targets for each lot, every one of 10,000 data planes is drawn by some lot.
     */
    public static final int LOTS = 1024;

    private Rules() {}
}
