package dev.kvstore.client.internal;

import java.util.List;
import java.util.Set;

/** Decides which process an attempt goes to. Thread-safe. */
final class Endpoints {
    private final List<Endpoint> all;

    Endpoints(List<Endpoint> all) {
        this.all = List.copyOf(all);
    }

    List<Endpoint> all() {
        return all;
    }

    /**
     * The best process for a key: the first in its rank that is healthy, was not tried and carries no more than its
     * share. If there is none the share is waived first, then health, then novelty.
     */
    Endpoint pick(long key, Set<Endpoint> tried, long now) {
        List<Endpoint> rank = Rendezvous.rank(key, all, Endpoint::seed);
        List<Endpoint> fresh =
                rank.stream().filter(endpoint -> !tried.contains(endpoint)).toList();
        List<Endpoint> healthy =
                fresh.stream().filter(endpoint -> endpoint.healthy(now)).toList();
        if (healthy.isEmpty()) {
            return fresh.isEmpty() ? rank.getFirst() : fresh.getFirst();
        }
        int total = healthy.stream().mapToInt(Endpoint::inFlight).sum();
        int bound = Rendezvous.bound(total, healthy.size());
        return healthy.stream()
                .filter(endpoint -> endpoint.inFlight() < bound)
                .findFirst()
                .orElse(healthy.getFirst());
    }
}
