package dev.kvstore.clusters.fleet;

import java.time.Duration;
import java.util.List;

/** The constants of membership and routing, all in one place, each with its reason. */
public final class Rules {
    /** How often a process says that it is there. Tests of whole stacks set the property, to wait less. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(Long.getLong("dev.kvstore.test.heartbeat.seconds", 5));

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

    /**
     * A process whose share of room is at least this much has room like an idle one. With {@link #OVERPROVISIONING} a level
     * begins to spill when its processes are used to 1 - 0.28/1.4 = 80 %, which is before any of them turns work away, and
     * gives all away that others can take when they are full.
     */
    public static final double ROOM = 0.28;

    /** What a process that is well counts at least for, of what it could take: who gets nothing never shows that it has room. */
    public static final double ROOM_FLOOR = 0.01;

    /**
     * How long it takes a change of load to count for 63 %: six heartbeats. Work follows weights and weights follow load one
     * heartbeat late; a step of 1 - e^(-1/6) = 15 % a heartbeat keeps that from swinging up to 92 % of use for weights, and
     * up to a demand of 2.4 times what a level can take for spilling.
     */
    public static final Duration STEADYING = Duration.ofSeconds(30);

    /** A load counts as it did until the headroom it leaves has changed by this part: each change moves conversations. */
    public static final double HOLD = 0.05;

    /** Into how many steps a slow start is cut: each is a new route. */
    public static final int SLOW_START_STEPS = 10;

    /**
     * How many processes a route names at most, of its first level and those behind: 128 in all, about 10 kB. Connections
     * to 64 processes of 1 GB/s carry more than a client has; the levels behind are for spilling.
     */
    public static final List<Integer> TARGETS = List.of(64, 32, 16, 16);

    /** Among so many lots accounts are divided where a level has more processes than a route: with 64 targets each, enough
     * that of 10,000 processes each is drawn by some. */
    public static final int LOTS = 1024;

    private Rules() {}
}
