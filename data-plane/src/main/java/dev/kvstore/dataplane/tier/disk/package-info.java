/** Blocks on a local disk: a log of regions that outlives the process, and an index of it in memory. */
@NullMarked
package dev.kvstore.dataplane.tier.disk;

import org.jspecify.annotations.NullMarked;
