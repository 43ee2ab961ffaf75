package dev.kvstore.control.membership;

import dev.kvstore.accounts.placement.Placements;
import dev.kvstore.accounts.resolve.ServingRegions;
import jakarta.inject.Singleton;
import java.util.SortedMap;

/**
 * Places accounts on clusters of their home regions: when a route is first asked for, and before there is work on an
 * account, which {@link PlacedWork} gives to any cluster otherwise. Thread-safe.
 */
@Singleton
public final class HomePlacer {
    private final Placements placements;
    private final Vacancies vacancies;

    HomePlacer(Placements placements, Vacancies vacancies) {
        this.placements = placements;
        this.vacancies = vacancies;
    }

    /**
     * Places an account if it has no placement in its home region, or its automatic one no longer serves. Part of the
     * transaction of the caller, if there is one.
     *
     * @param regions the account as it was last read
     * @return whether the account may be placed otherwise than before
     */
    public boolean place(String resourceName, ServingRegions regions) {
        SortedMap<String, Double> clusters = vacancies.vacancies(regions.homeRegion());
        boolean stays = regions.places().stream()
                .filter(place -> place.region().equals(regions.homeRegion()))
                .anyMatch(place -> !place.automatic() || clusters.containsKey(place.cluster()));
        return !stays && !clusters.isEmpty() && placements.choose(resourceName, regions.homeRegion(), clusters) != null;
    }
}
