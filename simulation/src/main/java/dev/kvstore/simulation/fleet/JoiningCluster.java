package dev.kvstore.simulation.fleet;

import java.util.List;

/**
 * The cluster that data planes join.
 *
 * @param controlPlanes names of the hosts of control planes
 */
public record JoiningCluster(String name, String joinToken, List<String> controlPlanes) {
    public JoiningCluster {
        controlPlanes = List.copyOf(controlPlanes);
    }
}
