@NullMarked
package dev.kvstore.benchmark.peers.load;

import org.jspecify.annotations.NullMarked;
