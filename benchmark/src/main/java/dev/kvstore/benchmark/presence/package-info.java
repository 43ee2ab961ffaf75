/** {@code kv bench presence}: the cost of knowing which of many blocks are stored. */
@NullMarked
package dev.kvstore.benchmark.presence;

import org.jspecify.annotations.NullMarked;
