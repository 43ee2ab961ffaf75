package dev.kvstore.accounts.resolve;

import java.util.List;

/**
 * The regions and clusters that may serve an account, and the regions and clusters that serve it.
 *
 * @param tenant the owner
 * @param allowedRegions empty for all
 * @param avoidedRegions regions in which the account is not served for now
 * @param replicas regions in which the account has a storage that serves
 * @param version of the account
 */
public record ServingRegions(
        String tenant,
        String homeRegion,
        List<String> allowedRegions,
        List<String> avoidedRegions,
        List<String> replicas,
        List<RegionPlacement> places,
        long version) {
    /**
     * A placement.
     *
     * @param automatic whether the platform chose the cluster
     */
    public record RegionPlacement(String region, String cluster, boolean pinned, boolean automatic) {}

    public ServingRegions {
        allowedRegions = List.copyOf(allowedRegions);
        avoidedRegions = List.copyOf(avoidedRegions);
        replicas = List.copyOf(replicas);
        places = List.copyOf(places);
    }
}
