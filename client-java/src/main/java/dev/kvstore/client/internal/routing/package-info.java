/**
 * The choice of the data plane for an operation: a pure policy, without sockets, threads or a clock of its own. The SDK
 * uses it between an operation and its connections.
 */
@NullMarked
package dev.kvstore.client.internal.routing;

import org.jspecify.annotations.NullMarked;
