/** The steps of histories: calls of clients, and faults. */
@NullMarked
package dev.kvstore.simulation.step;

import org.jspecify.annotations.NullMarked;
