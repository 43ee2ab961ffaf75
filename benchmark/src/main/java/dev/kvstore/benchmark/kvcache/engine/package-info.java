/** A run: requests arrive, workers serve them from the tiers, and everything is counted. */
@NullMarked
package dev.kvstore.benchmark.kvcache.engine;

import org.jspecify.annotations.NullMarked;
