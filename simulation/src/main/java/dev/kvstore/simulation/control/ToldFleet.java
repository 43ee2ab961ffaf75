package dev.kvstore.simulation.control;

import java.time.Instant;
import java.util.List;

/**
 * The data planes of a cluster, as a control plane tells them. Immutable.
 *
 * @param instances the data planes of which the control plane tells others
 * @param readNanos the time at which it had read them, in nanoseconds of the world
 * @param at the time at which it read them, by the database's clock
 */
public record ToldFleet(List<String> instances, long readNanos, Instant at) {
    public ToldFleet {
        instances = List.copyOf(instances);
    }
}
