package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.accounts.account.Replica;
import dev.kvstore.protocol.control.v1.Probe;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives storages that must be tried to data planes that watch: to one of the storage's own region, if there is any.
 * Thread-safe.
 */
@Singleton
public class ProbeDealer {
    /** Trials given to one data plane at a time: as many as it can do well within the time for them. */
    private static final int PER_WATCHER = 4;

    private static final Logger LOG = System.getLogger(ProbeDealer.class.getName());

    private final Probes probes;
    private final RandomGenerator random;

    ProbeDealer(Probes probes, RandomGenerator random) {
        this.probes = probes;
        this.random = random;
    }

    /** @param ready has the watchers that can take messages now */
    void deal(Supplier<List<WatchStream>> ready) {
        List<WatchStream> before = ready.get();
        if (before.isEmpty()) {
            return;
        }
        String region = before.get(random.nextInt(before.size())).region();
        List<Replica> claimed = probes.claim(region, PER_WATCHER * before.size());
        // The database may have taken its time, and a watcher that has left meanwhile tries nothing.
        List<WatchStream> all = ready.get();
        if (all.isEmpty()) {
            probes.giveBack(claimed);
            return;
        }
        for (Replica replica : claimed) {
            Probe probe = probe(replica);
            if (probe == null) {
                continue;
            }
            List<WatchStream> near = all.stream()
                    .filter(watcher -> watcher.region().equals(replica.region()))
                    .toList();
            List<WatchStream> some = near.isEmpty() ? all : near;
            some.get(random.nextInt(some.size())).probe(probe);
        }
    }

    /** The message for a data plane; null if it cannot be made, so that other storages are still tried. */
    private static @Nullable Probe probe(Replica replica) {
        try {
            return Probe.newBuilder()
                    .setId(ProbeId.of(replica).text())
                    .setResourceName(replica.resourceName())
                    .setStorage(ResolutionEncoder.storage(
                            replica.endpoint(), replica.container(), replica.credential(), replica.createContainer()))
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
