/** {@code kv bench presence}: what it takes to know which of many blocks are stored. */
@NullMarked
package dev.kvstore.benchmark.presence;

import org.jspecify.annotations.NullMarked;
