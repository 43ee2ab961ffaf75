/** What both ends of a connection share: methods, zero-copy messages, credentials, response metadata. */
@NullMarked
package dev.kvstore.protocol.wire;

import org.jspecify.annotations.NullMarked;
