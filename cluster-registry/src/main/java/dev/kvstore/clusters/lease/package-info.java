/** Leases of data planes: who may join, who holds one, and until when. */
@NullMarked
package dev.kvstore.clusters.lease;

import org.jspecify.annotations.NullMarked;
