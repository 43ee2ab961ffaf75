/** What happens in a history: steps and faults, drawn by a seed. Runs nothing. */
@NullMarked
package dev.kvstore.simulation.plan;

import org.jspecify.annotations.NullMarked;
