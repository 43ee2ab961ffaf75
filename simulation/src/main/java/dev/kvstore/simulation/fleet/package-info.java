/** Data planes and their storage and network, all on one thread. */
@NullMarked
package dev.kvstore.simulation.fleet;

import org.jspecify.annotations.NullMarked;
