/**
 * {@code kv bench peers}: the Java SDK beside raw TCP, a stock gRPC server, Redis and nginx, on the same machine, with
 * the same bytes. Starts servers and clients as processes of their own and asks them in turn.
 */
@NullMarked
package dev.kvstore.benchmark.peers;

import org.jspecify.annotations.NullMarked;
