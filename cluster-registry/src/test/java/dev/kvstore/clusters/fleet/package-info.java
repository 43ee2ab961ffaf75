@NullMarked
package dev.kvstore.clusters.fleet;

import org.jspecify.annotations.NullMarked;
