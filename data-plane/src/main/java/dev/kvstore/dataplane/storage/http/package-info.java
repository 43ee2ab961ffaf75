/** HTTP/1.1 towards storage, over Netty. Bytes of blocks stay off the heap. */
@NullMarked
package dev.kvstore.dataplane.storage.http;

import org.jspecify.annotations.NullMarked;
