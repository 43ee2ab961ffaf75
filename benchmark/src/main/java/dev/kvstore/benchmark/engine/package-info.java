/** A real engine without a store, with KV Store and with LMCache: {@code kv bench engine}. */
@NullMarked
package dev.kvstore.benchmark.engine;

import org.jspecify.annotations.NullMarked;
