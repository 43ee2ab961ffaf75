/**
 * {@code kv bench failover}: what clients notice when processes, clusters and regions are killed, frozen or drained.
 */
@NullMarked
package dev.kvstore.benchmark.failover;

import org.jspecify.annotations.NullMarked;
