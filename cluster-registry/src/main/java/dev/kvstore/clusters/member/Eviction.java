package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Decides which data planes are deleted. A pure policy; stateless. */
final class Eviction {
    private Eviction() {}

    /** A data plane by name. */
    record EvictedProcess(String cluster, String process) {
        @Override
        public String toString() {
            return cluster + "/" + process;
        }
    }

    /** The moment by which a lease must have ended. */
    static Instant cutoff(Instant now) {
        return now.minus(Rules.EVICTION_AFTER);
    }

    /** Most data planes of a region that one pass may delete. */
    static int most(int processes) {
        return Math.max(1, (int) (processes * Rules.EVICTION_SHARE));
    }

    /**
     * The data planes that this pass deletes, in random order: of each region those whose leases ended long enough ago,
     * up to the limit.
     */
    static List<EvictedProcess> choose(Fleet fleet, RandomGenerator random) {
        Instant cutoff = cutoff(fleet.at());
        Map<String, Integer> processes = new TreeMap<>();
        Map<String, List<EvictedProcess>> gone = new TreeMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            processes.merge(cluster.region(), cluster.members().size(), Integer::sum);
            for (ClusterMember member : cluster.members()) {
                if (!member.hasLease(cutoff)) {
                    gone.computeIfAbsent(cluster.region(), _ -> new ArrayList<>())
                            .add(new EvictedProcess(cluster.name(), member.name()));
                }
            }
        }
        List<EvictedProcess> chosen = new ArrayList<>();
        gone.forEach((region, rows) -> {
            Collections.shuffle(rows, java.util.Random.from(random));
            chosen.addAll(rows.subList(0, Math.min(rows.size(), most(processes.getOrDefault(region, 0)))));
        });
        return chosen;
    }
}
