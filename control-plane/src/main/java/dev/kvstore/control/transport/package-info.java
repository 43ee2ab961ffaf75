/** The limits of the gRPC port: connections, calls and messages. */
@NullMarked
package dev.kvstore.control.transport;

import org.jspecify.annotations.NullMarked;
