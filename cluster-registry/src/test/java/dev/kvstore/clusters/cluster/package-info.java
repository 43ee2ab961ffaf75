@NullMarked
package dev.kvstore.clusters.cluster;

import org.jspecify.annotations.NullMarked;
