/**
 * {@code kv bench replay}: the worth of a cache for the requests of a real service, by the data plane's own eviction
 * policy, simulated, or through a running service.
 */
@NullMarked
package dev.kvstore.benchmark.replay;

import org.jspecify.annotations.NullMarked;
