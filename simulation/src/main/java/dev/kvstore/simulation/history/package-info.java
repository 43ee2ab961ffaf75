/** Histories: what is done, what befalls, and what was promised. */
@NullMarked
package dev.kvstore.simulation.history;

import org.jspecify.annotations.NullMarked;
