package dev.kvstore.accounts.resolve;

import java.util.List;

/**
 * Where an account may be and is served.
 *
 * @param tenant who owns it
 * @param allowedRegions empty: everywhere
 * @param avoidedRegions where it is not served for now
 * @param replicas regions with a storage of its own that serves
 * @param version of the account
 */
public record Whereabouts(
        String tenant,
        String homeRegion,
        List<String> allowedRegions,
        List<String> avoidedRegions,
        List<String> replicas,
        List<Place> places,
        long version) {
    /**
     * A placement.
     *
     * @param automatic chosen by the platform
     */
    public record Place(String region, String cluster, boolean pinned, boolean automatic) {}

    public Whereabouts {
        allowedRegions = List.copyOf(allowedRegions);
        avoidedRegions = List.copyOf(avoidedRegions);
        replicas = List.copyOf(replicas);
        places = List.copyOf(places);
    }
}
