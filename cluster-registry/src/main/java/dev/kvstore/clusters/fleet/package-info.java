/** All clusters and their data planes at one moment, from which routes are computed. */
@NullMarked
package dev.kvstore.clusters.fleet;

import org.jspecify.annotations.NullMarked;
