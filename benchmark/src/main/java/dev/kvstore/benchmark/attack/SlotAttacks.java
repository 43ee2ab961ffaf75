package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Attacks on the control plane that take slots of calls or connections, and keep them. */
final class SlotAttacks {
    private static final String HEALTH = "/grpc.health.v1.Health/Check";
    private static final String ROUTE = "/kvstore.control.v1.RouteService/GetRoute";
    private static final String WATCH_ROUTE = "/kvstore.control.v1.RouteService/WatchRoute";
    private static final String HEARTBEAT = "/kvstore.control.v1.MembershipService/Heartbeat";
    private static final String MADE_UP_KEY = "Bearer kv_madeup_secret";

    /** Calls on a connection: the most that the control plane lets it have open. */
    private static final int CALLS = 200;

    private static final int ROUTES = 100;
    private static final int HEARTBEATS = 13;

    /** More than a control plane takes. */
    private static final int CONNECTIONS = 2_200;

    private static final long PATIENCE_SECONDS = 1;
    private static final byte[] ONE_BYTE_MORE = {0, 0, 0, 1};

    private SlotAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "control-health-slots",
                        CALLS + " half-sent health checks on each of 4 connections",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> halfSent(scene, 4, HEALTH, null)),
                new Attack(
                        "control-route-slots",
                        CALLS + " half-sent questions for a route with a made-up key on each of " + ROUTES
                                + " connections",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> halfSent(scene, ROUTES, ROUTE, MADE_UP_KEY)),
                new Attack(
                        "rogue-heartbeats",
                        CALLS + " half-sent heartbeats with another cluster's join token on each of " + HEARTBEATS
                                + " connections",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> halfSent(
                                scene,
                                HEARTBEATS,
                                HEARTBEAT,
                                "Bearer " + scene.rogue().token())),
                new Attack(
                        "control-tenant-connections",
                        CONNECTIONS + " connections that follow a route with a tenant's own key",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> Flood.begin(
                                scene.controlPlane(),
                                CONNECTIONS,
                                CONNECTIONS,
                                connection -> watch(connection, scene.hostile()))));
    }

    private static Attack.RunningAttack halfSent(
            AttackScene scene, int connections, String path, @Nullable String authorization) {
        return Flood.begin(scene.controlPlane(), connections, connections, connection -> {
            int calls = connection.hasBegun() ? 0 : CALLS;
            for (int i = 0; i < calls; i++) {
                connection.call(path, authorization);
            }
            return sent(connection, calls);
        });
    }

    private static int watch(RawConnection connection, AttackScene.Hostile hostile)
            throws IOException, InterruptedException {
        int calls = connection.hasBegun() ? 0 : 1;
        if (calls == 1) {
            connection.data(
                    connection.call(WATCH_ROUTE, "Bearer " + hostile.key()), question(hostile.resource()), true);
        }
        return sent(connection, calls);
    }

    /** A message that asks for the route of a resource. */
    private static byte[] question(String resource) {
        byte[] message =
                GetRouteRequest.newBuilder().setResourceName(resource).build().toByteArray();
        return ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
    }

    /** Keeps a connection for a second, and notices if it is gone: the next one is made then. */
    private static int sent(RawConnection connection, int calls) throws IOException, InterruptedException {
        connection.begun();
        connection.frame(RawConnection.WINDOW_UPDATE, 0, 0, ONE_BYTE_MORE);
        connection.flush();
        connection.awaitEnd(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        return calls;
    }
}
