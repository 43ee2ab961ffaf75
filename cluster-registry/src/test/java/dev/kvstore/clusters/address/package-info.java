/** Tests of where processes may be. */
@NullMarked
package dev.kvstore.clusters.address;

import org.jspecify.annotations.NullMarked;
