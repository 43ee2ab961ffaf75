@NullMarked
package dev.kvstore.benchmark.peers;

import org.jspecify.annotations.NullMarked;
