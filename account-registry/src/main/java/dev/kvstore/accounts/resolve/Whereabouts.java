package dev.kvstore.accounts.resolve;

import java.util.List;

/**
 * Where an account may be and is served.
 *
 * @param tenant who owns it
 * @param allowedRegions empty: everywhere
 */
public record Whereabouts(String tenant, String homeRegion, List<String> allowedRegions, List<Place> places) {
    /**
     * A placement.
     *
     * @param automatic chosen by the platform
     */
    public record Place(String region, String cluster, boolean pinned, boolean automatic) {}

    public Whereabouts {
        allowedRegions = List.copyOf(allowedRegions);
        places = List.copyOf(places);
    }
}
