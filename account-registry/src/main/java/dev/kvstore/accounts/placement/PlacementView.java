package dev.kvstore.accounts.placement;

/** Which cluster of a region serves an account, as callers see it. */
public record PlacementView(String resourceName, String region, String cluster, boolean pinned, long version) {
    static PlacementView of(Placement placement) {
        return new PlacementView(
                placement.id().resourceName(),
                placement.id().region(),
                placement.cluster(),
                placement.pinned(),
                placement.version());
    }
}
