package dev.kvstore.control.membership;

import dev.kvstore.accounts.placement.Placements;
import dev.kvstore.accounts.resolve.ServingRegions;
import jakarta.inject.Singleton;
import java.util.SortedMap;

/**
 * Places accounts on clusters of their home regions: when a route is first requested, and before work on an account is
 * given out, since {@link PlacedWork} gives the work on an account without a placement to any cluster. Thread-safe.
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
     * Places an account if it has no placement in its home region, or its automatic one no longer serves. Joins the
     * caller's transaction, if there is one.
     *
     * @param regions the account as it was last read
     * @return whether the account's placement may have changed
     */
    public boolean place(String resourceName, ServingRegions regions) {
        SortedMap<String, Double> clusters = vacancies.vacancies(regions.homeRegion());
        boolean stays = regions.places().stream()
                .filter(place -> place.region().equals(regions.homeRegion()))
                .anyMatch(place -> !place.automatic() || clusters.containsKey(place.cluster()));
        return !stays && !clusters.isEmpty() && placements.choose(resourceName, regions.homeRegion(), clusters) != null;
    }
}
