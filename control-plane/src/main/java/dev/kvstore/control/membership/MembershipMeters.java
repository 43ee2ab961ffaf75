package dev.kvstore.control.membership;

import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.HeartbeatQueue;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Meters of membership at this control plane. Thread-safe. */
@Singleton
final class MembershipMeters {
    private final MultiGauge members;
    private final Counter extensions;
    private final Counter evictions;
    private final Counter unknown;
    private final Counter refused;
    private final Counter failed;
    private final Counter joined;
    private final Counter notJoined;

    MembershipMeters(MeterRegistry registry, Fleets fleets, HeartbeatQueue heartbeats) {
        members = ControlPlaneMetrics.PROCESSES.rows(registry);
        extensions = ControlPlaneMetrics.LEASE_EXTENSIONS.counter(registry);
        evictions = ControlPlaneMetrics.EVICTIONS.counter(registry);
        ControlPlaneMetrics.HEARTBEATS.counter(registry, heartbeats, HeartbeatQueue::kept, "kept");
        ControlPlaneMetrics.HEARTBEAT_BATCHES.counter(registry, heartbeats, HeartbeatQueue::batches);
        unknown = ControlPlaneMetrics.HEARTBEATS.counter(registry, "unknown");
        refused = ControlPlaneMetrics.HEARTBEATS.counter(registry, "refused");
        failed = ControlPlaneMetrics.HEARTBEATS.counter(registry, "failed");
        joined = ControlPlaneMetrics.JOINS.counter(registry, "joined");
        notJoined = ControlPlaneMetrics.JOINS.counter(registry, "refused");
        var _ = fleets.onChange(this::count);
    }

    /** Counts for each region the data planes that serve, drain, or hold no lease. */
    private void count(Fleet fleet) {
        Map<String, Map<MeteredState, Integer>> counts = new TreeMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            Map<MeteredState, Integer> count =
                    counts.computeIfAbsent(cluster.region(), _ -> new EnumMap<>(MeteredState.class));
            for (ClusterMember member : cluster.members()) {
                count.merge(MeteredState.of(member, fleet), 1, Integer::sum);
            }
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((region, count) -> {
            for (MeteredState state : MeteredState.values()) {
                rows.add(MultiGauge.Row.of(
                        ControlPlaneMetrics.PROCESSES.tags(region, state.word), count.getOrDefault(state, 0)));
            }
        });
        members.register(rows, true);
    }

    private enum MeteredState {
        SERVING("serving"),
        DRAINING("draining"),
        LAPSED("lapsed");

        private final String word;

        MeteredState(String word) {
            this.word = word;
        }

        static MeteredState of(ClusterMember member, Fleet fleet) {
            if (!member.hasLease(fleet.at())) {
                return LAPSED;
            }
            return member.draining() ? DRAINING : SERVING;
        }
    }

    void extendedLeases() {
        extensions.increment();
    }

    void evicted(int processes) {
        evictions.increment(processes);
    }

    /** A heartbeat named a lease that does not exist. */
    void unknown() {
        unknown.increment();
    }

    /** A heartbeat was refused, since too many waited. */
    void refused() {
        refused.increment();
    }

    /** A heartbeat could not be written. */
    void failed() {
        failed.increment();
    }

    void joined(boolean taken) {
        (taken ? joined : notJoined).increment();
    }
}
