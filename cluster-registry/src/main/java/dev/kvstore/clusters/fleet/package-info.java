/** All clusters and the processes that serve them, as they are at one moment: what routes are made from. */
@NullMarked
package dev.kvstore.clusters.fleet;

import org.jspecify.annotations.NullMarked;
