package dev.kvstore.accounts.account;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws the cluster that tries a storage next, among the clusters of its region that have a data plane for trials. One
 * cluster has one chance, however many data planes it reports. Stateless.
 */
final class TrialCluster {
    private TrialCluster() {}

    /**
     * The clusters of a trial.
     *
     * @param toProve whether the storage has yet to be proven the tenant's
     * @param placed the cluster on which the account is placed in the region; null for none
     * @param confirmedBy the cluster that has found the proof; another one has to confirm it; null for none yet
     * @param triedBy the cluster that was given the trial last; null for none
     * @param unreported whether that cluster has not reported
     */
    record TrialHistory(
            boolean toProve,
            @Nullable String placed,
            @Nullable String confirmedBy,
            @Nullable String triedBy,
            boolean unreported) {}

    /** Clusters without a given one, unless there is no other. */
    private static List<String> without(List<String> clusters, @Nullable String left) {
        List<String> others =
                clusters.stream().filter(cluster -> !cluster.equals(left)).toList();
        return others.isEmpty() ? clusters : others;
    }

    /**
     * Draws a cluster. The placed cluster comes first. A cluster that has found the proof tries it again only if there
     * is no other cluster: it may have become the only one of its region. While there is another cluster, two are left
     * out: a cluster that let the last trial run out, and a cluster that has just reported on a storage which is not
     * proven or whose account is placed nowhere, since a failure may be the cluster's own.
     *
     * @param clusters of the region, each once
     * @return empty if there are no clusters
     */
    static Optional<String> draw(TrialHistory history, List<String> clusters, RandomGenerator random) {
        List<String> open = history.toProve() ? without(clusters, history.confirmedBy()) : clusters;
        boolean placedHere = history.placed() != null && open.contains(history.placed());
        boolean leavesOut = history.unreported() || history.toProve() || !placedHere;
        List<String> some = leavesOut ? without(open, history.triedBy()) : open;
        if (some.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                history.placed() != null && some.contains(history.placed())
                        ? history.placed()
                        : some.get(random.nextInt(some.size())));
    }
}
