/** The wire format for both ends of a connection: methods, zero-copy messages, credentials, response metadata. */
@NullMarked
package dev.kvstore.protocol.wire;

import org.jspecify.annotations.NullMarked;
