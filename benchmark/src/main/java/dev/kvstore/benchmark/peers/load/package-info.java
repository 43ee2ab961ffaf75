/** The clients of {@code kv bench peers}: one process per peer, told on its standard input what to do. */
@NullMarked
package dev.kvstore.benchmark.peers.load;

import org.jspecify.annotations.NullMarked;
