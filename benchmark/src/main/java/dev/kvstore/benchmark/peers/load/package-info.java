/** The clients of {@code kv bench peers}: one process per peer, which takes orders on its standard input. */
@NullMarked
package dev.kvstore.benchmark.peers.load;

import org.jspecify.annotations.NullMarked;
