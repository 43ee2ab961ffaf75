/** Groups of data-plane processes that serve a region together. */
@NullMarked
package dev.kvstore.clusters.cluster;

import org.jspecify.annotations.NullMarked;
