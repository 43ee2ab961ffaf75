@NullMarked
package dev.kvstore.clusters.region;

import org.jspecify.annotations.NullMarked;
