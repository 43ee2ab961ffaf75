/** Block identity: the hash chain that names blocks, and the locations that address them. */
@NullMarked
package dev.kvstore.protocol.block;

import org.jspecify.annotations.NullMarked;
