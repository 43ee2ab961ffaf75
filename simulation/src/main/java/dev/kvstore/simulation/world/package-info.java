/** Virtual time, hosts, and what comes in place of the JDK's clocks, waits, threads and randomness. */
@NullMarked
package dev.kvstore.simulation.world;

import org.jspecify.annotations.NullMarked;
