/** Histories: they run plans, inject faults, and hold answers against promises. */
@NullMarked
package dev.kvstore.simulation.history;

import org.jspecify.annotations.NullMarked;
