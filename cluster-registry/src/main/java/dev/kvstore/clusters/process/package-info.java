/** Data-plane processes: one per NUMA node. */
@NullMarked
package dev.kvstore.clusters.process;

import org.jspecify.annotations.NullMarked;
