package dev.kvstore.client.internal.http2;

import java.time.Duration;

/**
 * The settings of a channel's connections.
 *
 * @param windowBytes the bytes that a peer may send on a stream, and on a connection, before any of them was taken
 * @param mostMessageBytes longest message taken
 * @param keepAlive silence after which a connection in use is probed
 * @param keepAliveTimeout time without a byte after which a probed connection is given up
 * @param idle time after which a connection without calls is closed
 * @param connectTimeout longest wait for a connection to an address, TLS and the first settings included
 */
public record ChannelSettings(
        int windowBytes,
        int mostMessageBytes,
        Duration keepAlive,
        Duration keepAliveTimeout,
        Duration idle,
        Duration connectTimeout,
        String userAgent) {}
