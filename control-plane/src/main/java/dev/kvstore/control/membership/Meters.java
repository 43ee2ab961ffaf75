package dev.kvstore.control.membership;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Member;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.HeartbeatQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is counted of membership, by this control plane. Thread-safe. */
@Singleton
final class Meters {
    private final MultiGauge members;
    private final Counter compensations;
    private final Counter evictions;
    private final Counter unknown;
    private final Counter refused;
    private final Counter failed;
    private final Counter joined;
    private final Counter notJoined;

    Meters(MeterRegistry registry, Fleets fleets, HeartbeatQueue heartbeats) {
        members = MultiGauge.builder("kvstore.members").register(registry);
        compensations = registry.counter("kvstore.membership.compensations");
        evictions = registry.counter("kvstore.membership.evictions");
        FunctionCounter.builder("kvstore.heartbeats", heartbeats, HeartbeatQueue::kept)
                .tag("outcome", "kept")
                .register(registry);
        FunctionCounter.builder("kvstore.heartbeat.batches", heartbeats, HeartbeatQueue::batches)
                .register(registry);
        unknown = registry.counter("kvstore.heartbeats", "outcome", "unknown");
        refused = registry.counter("kvstore.heartbeats", "outcome", "refused");
        failed = registry.counter("kvstore.heartbeats", "outcome", "failed");
        joined = registry.counter("kvstore.joins", "outcome", "joined");
        notJoined = registry.counter("kvstore.joins", "outcome", "refused");
        var _ = fleets.onChange(this::count);
    }

    /** Of each region those that serve, drain, or hold no lease. */
    private void count(Fleet fleet) {
        Map<String, Map<State, Integer>> counts = new TreeMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            Map<State, Integer> count = counts.computeIfAbsent(cluster.region(), _ -> new EnumMap<>(State.class));
            for (Member member : cluster.members()) {
                count.merge(State.of(member, fleet), 1, Integer::sum);
            }
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((region, count) -> {
            for (State state : State.values()) {
                rows.add(MultiGauge.Row.of(
                        Tags.of("region", region, "state", state.word), count.getOrDefault(state, 0)));
            }
        });
        members.register(rows, true);
    }

    private enum State {
        SERVING("serving"),
        DRAINING("draining"),
        LAPSED("lapsed");

        private final String word;

        State(String word) {
            this.word = word;
        }

        static State of(Member member, Fleet fleet) {
            if (!member.hasLease(fleet.at())) {
                return LAPSED;
            }
            return member.draining() ? DRAINING : SERVING;
        }
    }

    void compensated() {
        compensations.increment();
    }

    void evicted(int processes) {
        evictions.increment(processes);
    }

    /** A heartbeat named a lease that is not there. */
    void unknown() {
        unknown.increment();
    }

    /** A heartbeat found no room in the line. */
    void refused() {
        refused.increment();
    }

    /** A heartbeat was not kept. */
    void failed() {
        failed.increment();
    }

    void joined(boolean taken) {
        (taken ? joined : notJoined).increment();
    }
}
