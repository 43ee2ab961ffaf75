package dev.kvstore.control.route;

import dev.kvstore.accounts.resolve.DatabaseWhereabouts;
import dev.kvstore.accounts.resolve.ServingRegions;
import dev.kvstore.clusters.route.Constraints;
import dev.kvstore.clusters.route.Warmth;
import dev.kvstore.control.membership.HomePlacer;
import dev.kvstore.control.warming.Copies;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The constraints of an account's routes. Places an account on a cluster when its route is first asked for.
 * Thread-safe.
 */
@Singleton
public final class AccountPlacer {
    private static final Logger LOG = System.getLogger(AccountPlacer.class.getName());

    private final DatabaseWhereabouts whereabouts;
    private final HomePlacer homes;
    private final Copies copies;

    AccountPlacer(DatabaseWhereabouts whereabouts, HomePlacer homes, Copies copies) {
        this.whereabouts = whereabouts;
        this.homes = homes;
        this.copies = copies;
    }

    /**
     * An account and the constraints of its routes.
     *
     * @param tenant the owner
     */
    record Routed(String tenant, Constraints constraints) {}

    /**
     * Reads an account from the database.
     *
     * @param place whether to place the account on a cluster of its home region, if it has no placement or its
     *     automatic placement no longer serves
     * @return empty if there is no such account
     * @throws IllegalStateException if the database does not answer
     */
    Optional<Routed> find(String resourceName, boolean place) {
        Optional<ServingRegions> found = whereabouts.of(resourceName);
        if (place && found.isPresent() && place(resourceName, found.get())) {
            found = whereabouts.of(resourceName);
        }
        return found.map(regions -> new Routed(regions.tenant(), constraints(resourceName, regions)));
    }

    /** The warmth of each region. For an account with one storage, the database is not asked. */
    private Map<String, Warmth> warmth(String resourceName, ServingRegions regions) {
        if (regions.replicas().size() < 2) {
            return Map.of();
        }
        Set<String> warmed = copies.regions(resourceName);
        return regions.replicas().stream()
                .collect(Collectors.toUnmodifiableMap(
                        region -> region, region -> warmed.contains(region) ? Warmth.WARMED : Warmth.STORED));
    }

    private Constraints constraints(String resourceName, ServingRegions regions) {
        Map<String, Constraints.Placed> placed = new HashMap<>();
        regions.places()
                .forEach(place -> placed.put(place.region(), new Constraints.Placed(place.cluster(), place.pinned())));
        return Constraints.of(
                resourceName,
                regions.homeRegion(),
                regions.allowedRegions(),
                regions.avoidedRegions(),
                warmth(resourceName, regions),
                placed);
    }

    private boolean place(String resourceName, ServingRegions regions) {
        try {
            return homes.place(resourceName, regions);
        } catch (RuntimeException e) {
            // The account is routed all the same, and placed with the next request.
            LOG.log(Level.WARNING, "{0} could not be placed: {1}", resourceName, e.getMessage());
            return false;
        }
    }
}
