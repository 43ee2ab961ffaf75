/** The tiers: blocks in off-heap memory and on disk, and one load per block, however many callers ask for it. */
@NullMarked
package dev.kvstore.dataplane.tier;

import org.jspecify.annotations.NullMarked;
