package dev.kvstore.accounts.placement;

/**
 * The cluster of a region that serves an account, as callers see it.
 *
 * @param automatic whether the platform chose the cluster; it may choose another one when this one serves no more
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
