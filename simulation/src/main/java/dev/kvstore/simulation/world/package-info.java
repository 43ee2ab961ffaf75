/** Virtual time, hosts, and replacements of the JDK's clocks, waits, threads and randomness. */
@NullMarked
package dev.kvstore.simulation.world;

import org.jspecify.annotations.NullMarked;
