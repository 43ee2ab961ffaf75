/** Connections between hosts, with Netty's own channels and event loops above them. */
@NullMarked
package dev.kvstore.simulation.sockets;

import org.jspecify.annotations.NullMarked;
