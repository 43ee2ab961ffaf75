/** Copies blocks of other regions into this region's storage, and keeps the hottest blocks near. */
@NullMarked
package dev.kvstore.dataplane.warming;

import org.jspecify.annotations.NullMarked;
