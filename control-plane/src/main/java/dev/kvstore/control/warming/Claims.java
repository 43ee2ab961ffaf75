package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Duration;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Budget;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Listing;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.wire.WireNames;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Gives chunks and listings to data planes. A warming that has lost its source or its target ends here. Thread-safe.
 */
@Singleton
final class Claims {
    /** The most warmings that one call tries; each may turn out to be impossible. */
    private static final int TRIES = 8;

    private static final Logger LOG = System.getLogger(Claims.class.getName());

    private final DataSource database;
    private final Chunks chunks;
    private final Listings listings;
    private final StorageFinder storages;
    private final ObjectMapper json;

    Claims(DataSource database, Chunks chunks, Listings listings, StorageFinder storages, ObjectMapper json) {
        this.database = database;
        this.chunks = chunks;
        this.listings = listings;
        this.storages = storages;
        this.json = json;
    }

    /** Finds the storage of an account in a region, if it can be used. */
    @FunctionalInterface
    interface StorageFinder {
        /** @throws IllegalStateException if the database does not answer; the cause is the database's exception */
        Optional<Storage> find(String resourceName, String region);
    }

    /**
     * A task for a process in its region, if there is one.
     *
     * @param holder the process; no other may report on it
     * @param except warmings on which the process works already
     */
    Optional<Task> next(LeaseHolder holder, List<String> except) throws SQLException {
        for (int i = 0; i < TRIES; i++) {
            Optional<Chunks.ClaimedChunk> chunk = chunks.claim(holder, except);
            Optional<Listings.ClaimedListing> listing =
                    chunk.isPresent() ? Optional.empty() : listings.claim(holder, except);
            if (chunk.isEmpty() && listing.isEmpty()) {
                break;
            }
            Warming job = chunk.map(Chunks.ClaimedChunk::job)
                    .orElseGet(() -> listing.orElseThrow().job());
            Optional<Storage> source = storages.find(job.resourceName(), job.source());
            Optional<Storage> target = storages.find(job.resourceName(), job.target());
            if (source.isEmpty() || target.isEmpty()) {
                String lost = source.isEmpty() ? job.source() : job.target();
                fail(job, "the account has no replica in " + lost + " any more that can be used");
                continue;
            }
            try {
                Task.Builder task = chunk.map(claimed -> copying(claimed, target.get()))
                        .orElseGet(() -> listing(listing.orElseThrow()));
                return Optional.of(task.setWarming(job.id())
                        .setClaimTime(Duration.newBuilder()
                                .setSeconds(Chunks.CLAIMS.time().toSeconds()))
                        .setResourceName(job.resourceName())
                        .setSource(source.get())
                        .build());
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "the warming " + job.id() + " cannot be given out", e);
                fail(job, "it cannot be given out: the control plane failed; its log has the reason");
            }
        }
        return Optional.empty();
    }

    /** Ends the round in which the job was read, if that round is still under way. */
    private void fail(Warming job, String flaw) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            Optional<LockedWarming> same = LockedWarming.of(connection, job.id())
                    .filter(now -> now.job().version() == job.version());
            if (same.isPresent()) {
                same.get().endRound(WarmingState.FAILED, flaw, false);
            }
            return same.isPresent();
        });
    }

    private static Task.Builder copying(Chunks.ClaimedChunk claimed, Storage target) {
        return Task.newBuilder()
                .setClaim(claimed.claim())
                .setBudget(budget(claimed.job().budget().share(claimed.claims())))
                .setCopying(Copying.newBuilder()
                        .setTarget(target)
                        .setChunk(claimed.number())
                        .setBlocks(claimed.blocks().names())
                        .addAllBytes(claimed.blocks().lengths())
                        .setDone(claimed.done())
                        .setPreheat(
                                switch (claimed.job().preheat()) {
                                    case STORAGE -> Copying.Preheat.STORAGE;
                                    case DISK -> Copying.Preheat.DISK;
                                    case MEMORY -> Copying.Preheat.MEMORY;
                                }));
    }

    private Task.Builder listing(Listings.ClaimedListing claimed) {
        Selection selection = claimed.job().selected(json);
        Listing.Builder listing = Listing.newBuilder().setCursor(claimed.cursor());
        selection.root().map(WireNames::field).ifPresent(listing::setRoot);
        String prefix = selection.prefix();
        if (prefix != null) {
            listing.setLastHash(WireNames.field(BlockHash.ofHex(prefix)));
        }
        Instant since = selection.storedSince();
        if (since != null) {
            // The milliseconds of some times do not fit into a long.
            listing.setStoredSince(since.isBefore(Instant.EPOCH) ? 0 : since.toEpochMilli());
        }
        return Task.newBuilder()
                .setClaim(claimed.claim())
                .setBudget(budget(claimed.job().budget()))
                .setListing(listing);
    }

    static Budget budget(Warming.Budget budget) {
        return Budget.newBuilder()
                .setBytesPerSecond(budget.bytesPerSecond())
                .setRequestsPerSecond(budget.requestsPerSecond())
                .build();
    }
}
