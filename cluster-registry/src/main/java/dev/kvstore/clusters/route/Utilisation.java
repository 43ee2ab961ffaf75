package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Load;

/** The part of a data plane's capacity that is in use, 0 to 1. */
@FunctionalInterface
public interface Utilisation {
    double of(ClusterMember member);

    /**
     * The utilisation in the data plane's last heartbeat: the largest of the shares in use of bandwidth and CPUs
     * (averages between heartbeats), and of call slots and transfer memory (at one moment), for which it refuses work.
     * The fill of its tiers does not count, since a cache that works is full; nor does latency, which depends on
     * storage and on the requests; nor the number of refusals, which may come from a burst or from one account beyond
     * its own limit.
     */
    static double now(ClusterMember member) {
        Load load = member.load();
        Capacity capacity = member.capacity();
        double largest = Math.max(
                Math.max(
                        share((double) load.bytesPerSecond(), (double) capacity.bytesPerSecond()),
                        share(load.operations(), capacity.operations())),
                Math.max(load.cpu(), load.memory()));
        // A figure that is not a number counts as full: no client is sent to a data plane whose load is unknown.
        return largest >= 0 ? Math.min(1, largest) : 1;
    }

    private static double share(double used, double of) {
        return of > 0 ? Math.max(0, used) / of : 1;
    }
}
