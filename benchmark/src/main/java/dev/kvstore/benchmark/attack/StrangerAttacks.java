package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.launcher.stack.ApiKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Attacks on a gRPC port by callers who have no good API key. */
final class StrangerAttacks {
    private static final String WRITE = "/kvstore.v1.KVStoreService/Write";
    private static final String HEALTH = "/grpc.health.v1.Health/Check";
    private static final String ANNOUNCE = "/kvstore.peer.v1.PeerService/Announce";
    private static final String ROUTE = "/kvstore.control.v1.RouteService/GetRoute";
    private static final int MEBIBYTE = 1 << 20;
    private static final int SILENT = 1_100;
    private static final int CONTROL_SILENT = 2_200;
    private static final int SLOW = 500;
    private static final int FLOODING = 8;
    private static final int BATCH = 100;

    /** A second, of an attacker with one machine that does not want to be noticed by its own provider. */
    private static final int QUESTIONS = 10_000;

    private static final int CONTINUATION_BYTES = 16 * 1024;
    private static final long SETTINGS_MILLIS = 1_000;
    private static final long PATIENCE_SECONDS = 1;

    private StrangerAttacks() {}

    /** The same calls of a tenant that has a good key, at each gRPC port. */
    static List<Attack> ofTenants() {
        String text = "calls with a tenant's own key that are reset at once, as fast as they are taken, from "
                + FLOODING + " connections, each made anew at once when it is closed";
        return List.of(
                new Attack(
                        "tenant-rapid-reset",
                        text,
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> FrameFlood.begin(
                                scene.dataPlane(),
                                FLOODING,
                                () -> ResetFrames.withKey(WRITE, scene.hostile().key()))),
                new Attack(
                        "control-tenant-rapid-reset",
                        text,
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> FrameFlood.begin(
                                scene.controlPlane(),
                                FLOODING,
                                () -> ResetFrames.withKey(ROUTE, scene.hostile().key()))));
    }

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "made-up-keys",
                        "300 Writes a second with made-up keys, each half sent, from 4 connections",
                        AttackTarget.DATA_PLANE,
                        (scene, random) ->
                                Flood.begin(scene.dataPlane(), 4, 300, connection -> halfWrite(connection, random))),
                new Attack(
                        "half-messages",
                        "10 messages of 64 MiB to the health service at a time, half sent, without a key",
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> Flood.begin(scene.dataPlane(), 10, 100, connection -> half(connection, HEALTH))),
                new Attack(
                        "announcements",
                        "10 announcements of 64 MiB, half sent, without a token",
                        AttackTarget.DATA_PLANE,
                        (scene, _) ->
                                Flood.begin(scene.dataPlane(), 10, 100, connection -> half(connection, ANNOUNCE))),
                new Attack(
                        "silent-connections",
                        SILENT + " connections that say nothing",
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> Silent.begin(scene.dataPlane(), SILENT)),
                new Attack(
                        "slow-headers",
                        SLOW + " connections that send a byte of their headers a second",
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> Flood.begin(scene.dataPlane(), SLOW, SLOW, new SlowHeaders())),
                new Attack(
                        "rapid-reset",
                        "calls with made-up keys that are reset at once, as fast as they are taken, from " + FLOODING
                                + " connections, each made anew at once when it is closed",
                        AttackTarget.DATA_PLANE,
                        (scene, random) -> resets(scene.dataPlane(), WRITE, random)),
                new Attack(
                        "continuation",
                        "headers that never end, 16 MB a second from 4 connections",
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> Flood.begin(scene.dataPlane(), 4, 1_000, StrangerAttacks::endlessHeaders)),
                new Attack(
                        "pings",
                        "pings as fast as they are taken, from " + FLOODING
                                + " connections, each made anew at once when it is closed",
                        AttackTarget.DATA_PLANE,
                        (scene, _) -> FrameFlood.begin(scene.dataPlane(), FLOODING, PingFrames::new)),
                new Attack(
                        "control-made-up-keys",
                        "10,000 questions for a route a second with made-up keys",
                        AttackTarget.CONTROL_PLANE,
                        (scene, random) -> Flood.begin(
                                scene.controlPlane(), 4, QUESTIONS / BATCH, connection -> routes(connection, random))),
                new Attack(
                        "control-silent-connections",
                        CONTROL_SILENT + " connections to the control plane that say nothing",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> Silent.begin(scene.controlPlane(), CONTROL_SILENT)),
                new Attack(
                        "control-rapid-reset",
                        "calls of the control plane with made-up keys that are reset at once, as fast as they are taken, from "
                                + FLOODING + " connections, each made anew at once when it is closed",
                        AttackTarget.CONTROL_PLANE,
                        (scene, random) -> resets(scene.controlPlane(), ROUTE, random)),
                new Attack(
                        "control-continuation",
                        "headers to the control plane that never end, 16 MB a second from 4 connections",
                        AttackTarget.CONTROL_PLANE,
                        (scene, _) -> Flood.begin(scene.controlPlane(), 4, 1_000, StrangerAttacks::endlessHeaders)));
    }

    private static String bearer(RandomGenerator random) {
        return "Bearer " + ApiKey.generate(random).text();
    }

    private static int halfWrite(RawConnection connection, RandomGenerator random) throws IOException {
        int stream = connection.call(WRITE, bearer(random));
        connection.half(stream, 8 * MEBIBYTE, CONTINUATION_BYTES);
        connection.flush();
        return 1;
    }

    /** Sends as much of a message as the server lets it, and waits a second, or until it is cut off. */
    private static int half(RawConnection connection, String path) throws IOException, InterruptedException {
        int window = connection.window(SETTINGS_MILLIS);
        int stream = connection.call(path, null);
        int sent = Math.min(window, 60 * MEBIBYTE) - 5;
        connection.half(stream, 64 * MEBIBYTE, sent);
        connection.flush();
        connection.awaitEnd(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        return 1;
    }

    private static Attack.RunningAttack resets(String endpoint, String path, RandomGenerator random) {
        return FrameFlood.begin(
                endpoint, FLOODING, () -> ResetFrames.withMadeUpKeys(path, new SplittableRandom(random.nextLong())));
    }

    private static int endlessHeaders(RawConnection connection) throws IOException {
        if (!connection.hasBegun()) {
            connection.frame(RawConnection.HEADERS, 0, 1, new byte[0]);
        }
        connection.begun();
        connection.frame(RawConnection.CONTINUATION, 0, 1, new byte[CONTINUATION_BYTES]);
        connection.flush();
        return 1;
    }

    private static int routes(RawConnection connection, RandomGenerator random) throws IOException {
        // resource_name "demo", field 1.
        byte[] question = {0, 0, 0, 0, 6, 10, 4, 'd', 'e', 'm', 'o'};
        for (int i = 0; i < BATCH; i++) {
            connection.data(connection.call(ROUTE, bearer(random)), question, true);
        }
        connection.flush();
        return BATCH;
    }

    /** A byte of the headers of a call at a time. */
    private static final class SlowHeaders implements Flood.FloodStep {
        @Override
        public int run(RawConnection connection) throws IOException {
            if (!connection.hasBegun()) {
                connection.frame(RawConnection.HEADERS, 0, 1, new byte[0]);
            }
            connection.begun();
            connection.frame(RawConnection.CONTINUATION, 0, 1, new byte[1]);
            connection.flush();
            return 1;
        }
    }

    /** Connections that are made and left alone. */
    private static final class Silent implements Attack.RunningAttack {
        private final List<RawConnection> open = new ArrayList<>();

        static Silent begin(String endpoint, int connections) {
            Silent silent = new Silent();
            for (int i = 0; i < connections; i++) {
                try {
                    silent.open.add(RawConnection.open(endpoint));
                } catch (IOException refused) {
                    // As many as there may be.
                    break;
                }
            }
            return silent;
        }

        @Override
        public long done() {
            return open.size();
        }

        @Override
        public void close() {
            for (RawConnection connection : open) {
                try {
                    connection.close();
                } catch (IOException e) {
                    // It is gone.
                }
            }
        }
    }
}
