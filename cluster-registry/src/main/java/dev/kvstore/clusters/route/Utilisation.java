package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Member;

/** How much of a process is in use, 0 to 1. */
@FunctionalInterface
public interface Utilisation {
    double of(Member member);

    /**
     * By what the process said last: the largest of the shares in use of what it runs out of. Those are bandwidth and CPUs
     * (averages between heartbeats), and what it turns work away for: calls that move blocks, and the memory their blocks take
     * (at one moment). How full its tiers are says nothing, a cache is full when it does its work; nor does latency, which is
     * that of storage and of what is asked for; nor what it turned away, which is a burst's, or one account's beyond its
     * own limit.
     */
    static double now(Member member) {
        Load load = member.load();
        Capacity capacity = member.capacity();
        double largest = Math.max(
                Math.max(
                        share((double) load.bytesPerSecond(), (double) capacity.bytesPerSecond()),
                        share(load.operations(), capacity.operations())),
                Math.max(load.cpu(), load.memory()));
        // Not a number is no less than the largest there is: nobody is sent where nobody knows.
        return largest >= 0 ? Math.min(1, largest) : 1;
    }

    private static double share(double used, double of) {
        return of > 0 ? Math.max(0, used) / of : 1;
    }
}
