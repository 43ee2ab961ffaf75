package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.accounts.account.Replica;
import dev.kvstore.protocol.control.v1.Probe;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives storages that must be tried to data planes of their region that watch. It draws the cluster first, then one of
 * its data planes, so a cluster with many watches gets no more trials than another. Thread-safe.
 */
@Singleton
public class ProbeDealer {
    /**
     * Trials given to a data plane at a time, about: as many as it can finish in time. A region's smallest cluster
     * decides how many trials are given out.
     */
    private static final int PER_WATCHER = 4;

    private static final Logger LOG = System.getLogger(ProbeDealer.class.getName());

    private final Probes probes;
    private final RandomGenerator random;

    ProbeDealer(Probes probes, RandomGenerator random) {
        this.probes = probes;
        this.random = random;
    }

    /** @param ready supplies the watchers that can take messages now */
    void deal(Supplier<List<WatchStream>> ready) {
        Map<String, Map<String, List<WatchStream>>> regions = new TreeMap<>();
        for (WatchStream watcher : ready.get()) {
            regions.computeIfAbsent(watcher.region(), _ -> new TreeMap<>())
                    .computeIfAbsent(watcher.cluster(), _ -> new ArrayList<>())
                    .add(watcher);
        }
        regions.forEach((region, clusters) -> {
            int fewest = clusters.values().stream().mapToInt(List::size).min().orElse(0);
            List<Probes.GivenTrial> claimed = probes.claim(
                    region,
                    List.copyOf(clusters.keySet()),
                    List.copyOf(regions.keySet()),
                    PER_WATCHER * fewest * clusters.size());
            for (Probes.GivenTrial trial : claimed) {
                give(trial, clusters.getOrDefault(trial.cluster(), List.of()));
            }
        });
    }

    /** Gives a trial to one of a cluster's watchers. */
    private void give(Probes.GivenTrial trial, List<WatchStream> watchers) {
        Probe probe = probe(trial.replica());
        if (probe == null) {
            return;
        }
        // The query may have taken long, and a watcher that has left meanwhile tries nothing.
        List<WatchStream> ready = watchers.stream().filter(WatchStream::isReady).toList();
        if (ready.isEmpty()) {
            probes.giveBack(trial);
        } else {
            ready.get(random.nextInt(ready.size())).probe(probe);
        }
    }

    /** The message for a data plane; null if the replica cannot be encoded, so that other storages are still tried. */
    private static @Nullable Probe probe(Replica replica) {
        try {
            return Probe.newBuilder()
                    .setId(ProbeId.of(replica).text())
                    .setResourceName(replica.resourceName())
                    .setStorage(StorageEncoder.wire(replica.storage()))
                    .setNonceBlob(replica.isToProve() ? Probes.blob(replica.nonce()) : "")
                    .setNonce(replica.isToProve() ? replica.nonce() : "")
                    .build();
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "the storage of " + replica.resourceName() + " in " + replica.region() + " cannot be tried",
                    e);
            return null;
        }
    }
}
