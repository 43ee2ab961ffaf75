package dev.kvstore.accounts.placement;

/**
 * Which cluster of a region serves an account, as callers see it.
 *
 * @param automatic chosen by the platform, which may choose another when this one serves no more
 */
public record PlacementView(
        String resourceName, String region, String cluster, boolean pinned, boolean automatic, long version) {
    static PlacementView of(Placement placement) {
        return new PlacementView(
                placement.id().resourceName(),
                placement.id().region(),
                placement.cluster(),
                placement.pinned(),
                placement.automatic(),
                placement.version());
    }
}
