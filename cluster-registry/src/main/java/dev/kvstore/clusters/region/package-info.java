/** Regions and the round trips between them. */
@NullMarked
package dev.kvstore.clusters.region;

import org.jspecify.annotations.NullMarked;
