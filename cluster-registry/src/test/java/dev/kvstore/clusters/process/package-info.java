/** Tests of where processes may be. */
@NullMarked
package dev.kvstore.clusters.process;

import org.jspecify.annotations.NullMarked;
