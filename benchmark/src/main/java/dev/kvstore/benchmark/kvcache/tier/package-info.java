/** The tiers that hold bytes, and the bytes. */
@NullMarked
package dev.kvstore.benchmark.kvcache.tier;

import org.jspecify.annotations.NullMarked;
