/** Where clusters are, and how far apart. */
@NullMarked
package dev.kvstore.clusters.region;

import org.jspecify.annotations.NullMarked;
