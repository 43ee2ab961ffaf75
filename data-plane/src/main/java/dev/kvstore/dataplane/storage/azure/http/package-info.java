/** HTTP/1.1 towards storage, over Netty: a client that Azure's SDK plugs in. Bytes of blocks stay off the heap. */
@NullMarked
package dev.kvstore.dataplane.storage.azure.http;

import org.jspecify.annotations.NullMarked;
