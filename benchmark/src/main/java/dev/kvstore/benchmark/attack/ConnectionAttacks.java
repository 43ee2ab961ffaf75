package dev.kvstore.benchmark.attack;

import static dev.kvstore.benchmark.attack.Attack.AttackTarget.CONTROL_PLANE;
import static dev.kvstore.benchmark.attack.Attack.AttackTarget.DATA_PLANE;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.attack.AttackLoad.ConnectionStep;
import java.util.List;
import java.util.function.Function;

/** Attacks on gRPC ports by HTTP/2 frames: of strangers without a good API key, and of tenants and data planes. */
final class ConnectionAttacks {
    private static final String WRITE = "/kvstore.v1.KVStoreService/Write";
    private static final String HEALTH = "/grpc.health.v1.Health/Check";
    private static final String ANNOUNCE = "/kvstore.peer.v1.PeerService/Announce";
    private static final String ROUTE = "/kvstore.control.v1.RouteService/GetRoute";
    private static final String WATCH_ROUTE = "/kvstore.control.v1.RouteService/WatchRoute";
    private static final String HEARTBEAT = "/kvstore.control.v1.MembershipService/Heartbeat";
    private static final String AUTHORIZATION = "authorization";
    private static final int SLOW = 500;
    private static final int FLOODING = 8;

    /** A second, of an attacker with one machine that does not want to be noticed by its own provider. */
    private static final int QUESTIONS = 10_000;

    private static final int BATCH = 100;

    /** Calls on a connection: the most that the control plane lets it have open. */
    private static final int CALLS = 200;

    private static final int ROUTES = 100;
    private static final int HEARTBEATS = 13;

    /** More than a control plane takes. */
    private static final int CONNECTIONS = 2_200;

    private static final int CONTINUATION_BYTES = 16 * 1024;

    private ConnectionAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack(
                        "made-up-keys",
                        "300 Writes a second with made-up keys, each half sent, from 4 connections",
                        DATA_PLANE,
                        4,
                        300,
                        _ -> ConnectionSteps.halfWrite(WRITE)),
                attack(
                        "half-messages",
                        "10 messages of 64 MiB to the health service at a time, half sent, without a key",
                        DATA_PLANE,
                        10,
                        100,
                        _ -> ConnectionSteps.half(HEALTH)),
                attack(
                        "announcements",
                        "10 announcements of 64 MiB, half sent, without a token",
                        DATA_PLANE,
                        10,
                        100,
                        _ -> ConnectionSteps.half(ANNOUNCE)),
                silent("silent-connections", DATA_PLANE, 1_100),
                attack(
                        "slow-headers",
                        SLOW + " connections that send a byte of their headers a second",
                        DATA_PLANE,
                        SLOW,
                        SLOW,
                        _ -> ConnectionSteps.endlessHeaders(1)),
                resets("rapid-reset", "made-up keys", DATA_PLANE, _ -> ResetCalls.withMadeUpKeys(WRITE)),
                continuation("continuation", DATA_PLANE),
                attack(
                        "pings",
                        "pings as fast as they are taken, from " + FLOODING
                                + " connections, each made anew at once when it is closed",
                        DATA_PLANE,
                        FLOODING,
                        0,
                        _ -> ConnectionSteps.pings()),
                attack(
                        "control-made-up-keys",
                        "10,000 questions for a route a second with made-up keys",
                        CONTROL_PLANE,
                        4,
                        QUESTIONS / BATCH,
                        _ -> ConnectionSteps.routes(ROUTE, BATCH)),
                silent("control-silent-connections", CONTROL_PLANE, CONNECTIONS),
                resets("control-rapid-reset", "made-up keys", CONTROL_PLANE, _ -> ResetCalls.withMadeUpKeys(ROUTE)),
                continuation("control-continuation", CONTROL_PLANE),
                resets(
                        "tenant-rapid-reset",
                        "a tenant's own key",
                        DATA_PLANE,
                        scene -> ResetCalls.withKey(WRITE, scene.key())),
                resets(
                        "control-tenant-rapid-reset",
                        "a tenant's own key",
                        CONTROL_PLANE,
                        scene -> ResetCalls.withKey(ROUTE, scene.key())),
                attack(
                        "control-health-slots",
                        CALLS + " half-sent health checks on each of 4 connections",
                        CONTROL_PLANE,
                        4,
                        4,
                        _ -> ConnectionSteps.halfSent(CALLS, HEALTH)),
                attack(
                        "control-route-slots",
                        CALLS + " half-sent questions for a route with a made-up key on each of " + ROUTES
                                + " connections",
                        CONTROL_PLANE,
                        ROUTES,
                        ROUTES,
                        _ -> ConnectionSteps.halfSent(CALLS, ROUTE, AUTHORIZATION, "Bearer kv_madeup_secret")),
                attack(
                        "rogue-heartbeats",
                        CALLS + " half-sent heartbeats with another cluster's join token on each of " + HEARTBEATS
                                + " connections",
                        CONTROL_PLANE,
                        HEARTBEATS,
                        HEARTBEATS,
                        scene -> ConnectionSteps.halfSent(
                                CALLS, HEARTBEAT, AUTHORIZATION, "Bearer " + scene.rogueToken())),
                attack(
                        "control-tenant-connections",
                        CONNECTIONS + " connections that follow a route with a tenant's own key",
                        CONTROL_PLANE,
                        CONNECTIONS,
                        CONNECTIONS,
                        scene -> ConnectionSteps.following(WATCH_ROUTE, scene)));
    }

    /**
     * An attack over connections.
     *
     * @param perSecond steps of all together; 0 for as fast as the server takes them
     * @param steps makes the step of each connection
     */
    private static Attack attack(
            String name,
            String text,
            AttackTarget target,
            int connections,
            int perSecond,
            Function<AttackScene, ConnectionStep> steps) {
        return new Attack(
                name,
                text,
                target,
                scene -> AttackLoad.connecting(
                        scene.endpoint(target), connections, perSecond, () -> steps.apply(scene)));
    }

    private static Attack silent(String name, AttackTarget target, int connections) {
        return new Attack(
                name,
                connections + " connections that say nothing",
                target,
                scene -> AttackLoad.silent(scene.endpoint(target), connections));
    }

    private static Attack resets(
            String name, String keys, AttackTarget target, Function<AttackScene, ConnectionStep> steps) {
        return attack(
                name,
                "calls with " + keys + " that are reset at once, as fast as they are taken, from " + FLOODING
                        + " connections, each made anew at once when it is closed",
                target,
                FLOODING,
                0,
                steps);
    }

    private static Attack continuation(String name, AttackTarget target) {
        return attack(
                name,
                "headers that never end, 16 MB a second from 4 connections",
                target,
                4,
                1_000,
                _ -> ConnectionSteps.endlessHeaders(CONTINUATION_BYTES));
    }
}
