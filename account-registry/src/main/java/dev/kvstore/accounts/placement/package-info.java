/** Placements: the cluster of a region that serves an account. */
@NullMarked
package dev.kvstore.accounts.placement;

import org.jspecify.annotations.NullMarked;
