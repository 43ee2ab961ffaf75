/**
 * The client's own receive path: gRPC over HTTP/2, whose DATA frames reach the reader as views of the memory that the
 * socket filled, however large they are. Only one event loop uses a connection and its calls.
 */
@NullMarked
package dev.kvstore.client.internal.http2;

import org.jspecify.annotations.NullMarked;
