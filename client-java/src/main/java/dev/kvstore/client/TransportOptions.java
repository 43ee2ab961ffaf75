package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.time.Duration;

/**
 * Settings of connections.
 *
 * @param flowControlWindowBytes HTTP/2 window of a stream and of a connection, 65,535 bytes to 1 GiB: bytes that may
 *     wait in the transport for each slow reader. Readers of other streams do not wait for a slow one
 * @param keepAlive silence after which a connection with open calls is probed, 10 s or more (gRPC allows no less)
 * @param keepAliveTimeout time after which a connection that does not answer the probe is given up
 * @param idle time after which a connection without calls is closed
 * @param connectTimeout longest wait for a connection to be made
 * @param eventLoopThreads threads that serve all connections of a client, 1 to 256
 * @param stack the HTTP/2 implementation towards data planes
 */
public record TransportOptions(
        int flowControlWindowBytes,
        Duration keepAlive,
        Duration keepAliveTimeout,
        Duration idle,
        Duration connectTimeout,
        int eventLoopThreads,
        Stack stack) {
    /** The HTTP/2 implementation. Both behave the same, except for their speed. */
    public enum Stack {
        /** The client's own implementation, which passes on blocks where the network put them, without a copy. */
        KVSTORE,
        /** The implementation of grpc-java. */
        GRPC_JAVA
    }

    private static final Duration LEAST_KEEP_ALIVE = Duration.ofSeconds(10);

    /**
     * The default. 64 MB and 10 s are the server's own settings, measured there; 30 minutes is gRPC's idle default; 4
     * threads carry more than a network card of 100 Gbit/s brings to one client.
     */
    public static final TransportOptions DEFAULT = new TransportOptions(
            64 * 1024 * 1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(30),
            Duration.ofSeconds(5),
            Math.min(4, Runtime.getRuntime().availableProcessors()),
            Stack.KVSTORE);

    public TransportOptions {
        ClientOptions.requireRange("transport.flowControlWindowBytes", flowControlWindowBytes, 65_535, 1 << 30);
        ClientOptions.require(
                "transport.keepAlive",
                keepAlive.compareTo(LEAST_KEEP_ALIVE) >= 0,
                "must be 10 s or more, not " + keepAlive);
        ClientOptions.requirePositive("transport.keepAliveTimeout", keepAliveTimeout);
        ClientOptions.requirePositive("transport.idle", idle);
        ClientOptions.requirePositive("transport.connectTimeout", connectTimeout);
        ClientOptions.requireRange("transport.eventLoopThreads", eventLoopThreads, 1, 256);
    }

    /** These options with another stack. */
    public TransportOptions withStack(Stack other) {
        return new TransportOptions(
                flowControlWindowBytes, keepAlive, keepAliveTimeout, idle, connectTimeout, eventLoopThreads, other);
    }
}
