/** The services below tiers: KV Store and a blob endpoint, of this run or somebody else's. */
@NullMarked
package dev.kvstore.benchmark.kvcache.service;

import org.jspecify.annotations.NullMarked;
