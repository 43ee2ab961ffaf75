package dev.kvstore.client.internal.http2;

import java.time.Duration;

/**
 * How a channel's connections are run.
 *
 * @param windowBytes the bytes that a peer may send on a stream, and on a connection, before any of them was taken
 * @param mostMessageBytes longest message taken
 * @param keepAlive a connection in use is probed after so long a silence
 * @param keepAliveTimeout and given up if nothing comes in this time
 * @param idle a connection without calls is closed after this time
 * @param connectTimeout longest wait until an address is connected to, TLS and the first settings included
 */
public record ChannelSettings(
        int windowBytes,
        int mostMessageBytes,
        Duration keepAlive,
        Duration keepAliveTimeout,
        Duration idle,
        Duration connectTimeout,
        String userAgent) {}
