package dev.kvstore.simulation.control;

import java.time.Instant;
import java.util.List;

/**
 * What a control plane tells of a cluster. Immutable.
 *
 * @param instances of data planes, of which it tells others
 * @param readNanos when it had read them, in nanoseconds of the world
 * @param at when it read them, as the control plane has it from the database's clock
 */
public record ToldFleet(List<String> instances, long readNanos, Instant at) {
    public ToldFleet {
        instances = List.copyOf(instances);
    }
}
