package dev.kvstore.control.purge;

import dev.kvstore.accounts.account.StorageRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A purge.
 *
 * @param partition name of the partition; null for all
 * @param root of the partition, 64 hexadecimal digits; null for all
 * @param block hash of the one block; null for all
 * @param key id of the key that wrote the blocks; null for any
 * @param version grows with each change of any purge
 */
record PurgeJob(
        String id,
        String resourceName,
        String tenant,
        @Nullable String partition,
        @Nullable Integer blockTokens,
        @Nullable String root,
        @Nullable String block,
        @Nullable String key,
        PurgeState state,
        long version,
        Instant createdAt,
        @Nullable Instant endedAt,
        List<RegionPurge> regions) {
    PurgeJob {
        regions = List.copyOf(regions);
    }

    /** The same purge in these regions. */
    PurgeJob in(List<RegionPurge> places) {
        return new PurgeJob(
                id,
                resourceName,
                tenant,
                partition,
                blockTokens,
                root,
                block,
                key,
                state,
                version,
                createdAt,
                endedAt,
                places);
    }

    /**
     * The progress in a region's storage.
     *
     * @param storage the storage when the purge was made
     * @param done whether the storage is finished, or given up
     */
    record RegionPurge(
            String region,
            StorageRow storage,
            boolean done,
            long lookedAt,
            long deleted,
            long failed,
            @Nullable String flaw,
            @Nullable String waiting) {}
}
