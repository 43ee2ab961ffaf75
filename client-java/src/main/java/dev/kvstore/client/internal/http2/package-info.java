/**
 * The client's own receive path: gRPC over HTTP/2, whose DATA frames reach the reader as views of what the socket
 * wrote, however large they are. A connection lives on one event loop, and so do its calls.
 */
@NullMarked
package dev.kvstore.client.internal.http2;

import org.jspecify.annotations.NullMarked;
