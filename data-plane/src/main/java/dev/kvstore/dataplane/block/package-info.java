/** Blocks as they lie in storage and in memory: names, keys, verification, reading and writing through a BlockStore. */
@NullMarked
package dev.kvstore.dataplane.block;

import org.jspecify.annotations.NullMarked;
