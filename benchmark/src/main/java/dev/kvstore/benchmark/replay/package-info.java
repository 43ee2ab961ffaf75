/**
 * {@code kv bench replay}: what a cache is worth for the requests of a real service; by the data plane's own choice of what it
 * keeps, simulated, or through a running service.
 */
@NullMarked
package dev.kvstore.benchmark.replay;

import org.jspecify.annotations.NullMarked;
