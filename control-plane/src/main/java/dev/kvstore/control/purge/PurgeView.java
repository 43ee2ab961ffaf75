package dev.kvstore.control.purge;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A purge, as callers see it.
 *
 * @param deleted blocks that were deleted so far, in all regions
 * @param failed blocks that storage did not delete
 * @param flaw why something failed; null if nothing did
 * @param waiting the reason for waiting; null if the purge does not wait
 */
public record PurgeView(
        String id,
        String resourceName,
        @Nullable String partition,
        @Nullable Integer blockTokens,
        @Nullable String block,
        @Nullable String key,
        PurgeState state,
        long lookedAt,
        long deleted,
        long failed,
        @Nullable String flaw,
        @Nullable String waiting,
        List<Region> regions,
        Instant createdAt,
        @Nullable Instant endedAt) {
    /** The progress in a region's storage. */
    public record Region(String region, boolean done, long lookedAt, long deleted, long failed) {}

    /**
     * @param unconfirmed the data planes that the purge waits for; null if there are none, or if the caller may not
     *     know
     */
    static PurgeView of(PurgeJob job, @Nullable String unconfirmed) {
        return new PurgeView(
                job.id(),
                job.resourceName(),
                job.partition(),
                job.blockTokens(),
                job.block(),
                job.key(),
                job.state(),
                job.regions().stream().mapToLong(PurgeJob.RegionPurge::lookedAt).sum(),
                job.regions().stream().mapToLong(PurgeJob.RegionPurge::deleted).sum(),
                job.regions().stream().mapToLong(PurgeJob.RegionPurge::failed).sum(),
                job.regions().stream()
                        .filter(region -> region.flaw() != null)
                        .map(region -> region.region() + ": " + region.flaw())
                        .findFirst()
                        .orElse(null),
                waiting(job, unconfirmed),
                job.regions().stream()
                        .map(region -> new Region(
                                region.region(), region.done(), region.lookedAt(), region.deleted(), region.failed()))
                        .toList(),
                job.createdAt(),
                job.endedAt());
    }

    private static @Nullable String waiting(PurgeJob job, @Nullable String unconfirmed) {
        return switch (job.state()) {
            case TELLING, FORGETTING -> unconfirmed;
            case DELETING ->
                job.regions().stream()
                        .filter(region -> !region.done() && region.waiting() != null)
                        .map(region -> "for storage in " + region.region() + ": " + region.waiting())
                        .findFirst()
                        .orElse(null);
            case DONE, PARTIAL, CANCELLED -> null;
        };
    }
}
