@NullMarked
package dev.kvstore.clusters.route;

import org.jspecify.annotations.NullMarked;
