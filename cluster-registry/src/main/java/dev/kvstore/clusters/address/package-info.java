/** Addresses of data planes, and patterns of them. */
@NullMarked
package dev.kvstore.clusters.address;

import org.jspecify.annotations.NullMarked;
