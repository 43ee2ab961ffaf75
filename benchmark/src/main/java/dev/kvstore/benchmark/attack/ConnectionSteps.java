package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.AttackLoad.ConnectionStep;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/** The steps of attacks over HTTP/2 connections. Stateless. */
final class ConnectionSteps {
    private static final String AUTHORIZATION = "authorization";
    private static final int MEBIBYTE = 1 << 20;
    private static final int HALF_BYTES = 16 * 1024;
    private static final int PINGS = 1_000;
    private static final long WAIT_MILLIS = 1_000;

    private ConnectionSteps() {}

    private static String madeUp() {
        return "Bearer " + ApiKey.generate(ThreadLocalRandom.current()).text();
    }

    /** The beginning of a large message, in a call with a made-up key. */
    static ConnectionStep halfWrite(String path) {
        return connection -> {
            connection.half(connection.call(path, AUTHORIZATION, madeUp()), 8 * MEBIBYTE, HALF_BYTES);
            connection.flush();
            return 1;
        };
    }

    /** Asks {@code questions} times for a route, each time with another made-up key. */
    static ConnectionStep routes(String path, int questions) {
        return connection -> {
            for (int i = 0; i < questions; i++) {
                connection.message(connection.call(path, AUTHORIZATION, madeUp()), question("demo"));
            }
            connection.flush();
            return questions;
        };
    }

    /** Sends as much of a message as the server lets it, and waits a second, or until it is cut off. */
    static ConnectionStep half(String path) {
        return connection -> {
            int window = connection.window(WAIT_MILLIS);
            connection.half(connection.call(path), 64 * MEBIBYTE, Math.min(window, 60 * MEBIBYTE) - 5);
            connection.flush();
            connection.awaitEnd(WAIT_MILLIS);
            return 1;
        };
    }

    /** Headers that never end, so many bytes at a time. */
    static ConnectionStep endlessHeaders(int bytes) {
        byte[] more = RawConnection.frame(RawConnection.CONTINUATION, 0, 1, new byte[bytes]);
        return connection -> {
            if (connection.begin()) {
                connection.write(RawConnection.frame(RawConnection.HEADERS, 0, 1));
            }
            connection.write(more);
            connection.flush();
            return 1;
        };
    }

    static ConnectionStep pings() {
        byte[] ping = RawConnection.frame(RawConnection.PING, 0, 0, new byte[8]);
        ByteBuffer all = ByteBuffer.allocate(PINGS * ping.length);
        for (int i = 0; i < PINGS; i++) {
            all.put(ping);
        }
        byte[] pings = all.array();
        return connection -> {
            connection.write(pings);
            connection.flush();
            return PINGS;
        };
    }

    /** Headers of so many calls, and no messages. */
    static ConnectionStep halfSent(int calls, String path, String... more) {
        return keeping(calls, connection -> {
            for (int i = 0; i < calls; i++) {
                connection.call(path, more);
            }
        });
    }

    /** A call that follows a route with the hostile tenant's key. */
    static ConnectionStep following(String path, AttackScene scene) {
        return keeping(1, connection -> {
            int stream = connection.call(path, AUTHORIZATION, "Bearer " + scene.key());
            connection.message(stream, question(scene.resource()));
        });
    }

    /** The frames that a step sends first on a connection. */
    @FunctionalInterface
    private interface ConnectionStart {
        void send(RawConnection connection) throws IOException;
    }

    /** Begins calls and keeps their connection; notices within a second if it is gone: the next one is made then. */
    private static ConnectionStep keeping(int calls, ConnectionStart start) {
        byte[] oneByteMore = RawConnection.frame(RawConnection.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1});
        return connection -> {
            boolean first = connection.begin();
            if (first) {
                start.send(connection);
            }
            connection.write(oneByteMore);
            connection.flush();
            connection.awaitEnd(WAIT_MILLIS);
            return first ? calls : 0;
        };
    }

    /** A message that asks for the route of a resource. */
    private static byte[] question(String resource) {
        return GetRouteRequest.newBuilder().setResourceName(resource).build().toByteArray();
    }
}
