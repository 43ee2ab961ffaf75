/** This process among those of its cluster: membership, load, and what peers tell each other. */
@NullMarked
package dev.kvstore.dataplane.cluster;

import org.jspecify.annotations.NullMarked;
