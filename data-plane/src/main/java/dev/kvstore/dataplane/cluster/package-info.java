/** This process among the members of its cluster: membership, load, and announcements of peers. */
@NullMarked
package dev.kvstore.dataplane.cluster;

import org.jspecify.annotations.NullMarked;
