package dev.kvstore.control.warming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Duration;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.resolve.Storages;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Budget;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Listing;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Gives out what is to be done. A warming that has lost its source or its target ends here. Thread-safe. */
final class Claims {
    /** Warmings that may turn out to be impossible, one after the other, in one call. */
    private static final int TRIES = 8;

    private final DataSource database;
    private final Chunks chunks;
    private final Listings listings;
    private final DatabaseReplicas replicas;
    private final ObjectMapper json;
    private final Clock clock;

    Claims(
            DataSource database,
            Chunks chunks,
            Listings listings,
            DatabaseReplicas replicas,
            ObjectMapper json,
            Clock clock) {
        this.database = database;
        this.chunks = chunks;
        this.listings = listings;
        this.replicas = replicas;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Something to do for a region, if there is anything.
     *
     * @param except warmings that the process is about already
     */
    Optional<Task> next(String region, List<String> except) throws SQLException {
        for (int i = 0; i < TRIES; i++) {
            Optional<Chunks.Claimed> chunk = chunks.claim(region, except);
            Optional<Listings.Claimed> listing = chunk.isPresent() ? Optional.empty() : listings.claim(region, except);
            if (chunk.isEmpty() && listing.isEmpty()) {
                break;
            }
            Warming job = chunk.map(Chunks.Claimed::job)
                    .orElseGet(() -> listing.orElseThrow().job());
            Optional<Storage> source = storage(job, job.source());
            Optional<Storage> target = storage(job, job.target());
            if (source.isPresent() && target.isPresent()) {
                Task.Builder task = chunk.map(claimed -> copying(claimed, target.get()))
                        .orElseGet(() -> listing(listing.orElseThrow()));
                return Optional.of(task.setWarming(job.id())
                        .setClaimTime(Duration.newBuilder().setSeconds(Chunks.CLAIM.toSeconds()))
                        .setResourceName(job.resourceName())
                        .setSource(source.get())
                        .build());
            }
            fail(job, source.isEmpty() ? job.source() : job.target());
        }
        return Optional.empty();
    }

    private Optional<Storage> storage(Warming job, String region) {
        return replicas.of(job.resourceName(), region)
                .filter(DatabaseReplicas.Replica::serves)
                .map(DatabaseReplicas.Replica::storage)
                .map(Storages::wire);
    }

    private void fail(Warming job, String region) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            return Jobs.endRound(
                    connection,
                    job,
                    WarmingState.FAILED,
                    "the account has no replica in " + region + " any more that can be used",
                    clock.instant());
        });
    }

    private static Task.Builder copying(Chunks.Claimed claimed, Storage target) {
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

    private Task.Builder listing(Listings.Claimed claimed) {
        Selection selection;
        try {
            selection = json.readValue(claimed.job().selection(), Selection.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the selection of " + claimed.job().id() + " cannot be read", e);
        }
        Listing.Builder listing = Listing.newBuilder().setCursor(claimed.cursor());
        selection.root().map(BlockHash::toByteString).ifPresent(listing::setRoot);
        String prefix = selection.prefix();
        if (prefix != null) {
            listing.setLastHash(BlockHash.ofHex(prefix).toByteString());
        }
        Instant since = selection.storedSince();
        if (since != null) {
            listing.setStoredSince(Math.max(0, since.toEpochMilli()));
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
