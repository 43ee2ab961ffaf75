package dev.kvstore.clusters.region;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Regions: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Regions {
    private static final String KIND = "region";
    private static final String ROUND_TRIP = "round-trip";

    private final RegionRepository regions;
    private final RoundTripRepository roundTrips;
    private final RegionClusters clusters;
    private final RegionReferences references;
    private final ChangeLog changes;
    private final Clock clock;

    Regions(
            RegionRepository regions,
            RoundTripRepository roundTrips,
            RegionClusters clusters,
            RegionReferences references,
            ChangeLog changes,
            Clock clock) {
        this.regions = regions;
        this.roundTrips = roundTrips;
        this.clusters = clusters;
        this.references = references;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<RegionView> page(@Nullable String cursor, int limit) {
        return Page.of(regions.page(Cursor.name(cursor), limit + 1), limit, Region::name, RegionView::of);
    }

    @Transactional
    RegionView get(String name) {
        return RegionView.of(find(name));
    }

    private Region find(String name) {
        Region region = regions.findById(name);
        if (region == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return region;
    }

    @Transactional
    PutOutcome<RegionView> put(Caller caller, String name, RegionSpec spec, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        Region known = regions.findById(name);
        precondition.check(known == null ? null : known.version());
        RegionView before = known == null ? null : RegionView.of(known);
        Region region = known == null ? new Region(name, clock.instant()) : known;
        region.update(spec.displayName() == null ? name : spec.displayName());
        regions.persistAndFlush(region);
        RegionView after = RegionView.of(region);
        return changes.put(
                caller, new Subject(KIND, name, null), Affected.NONE, before == null, before, after, after.version());
    }

    @Transactional
    void delete(Caller caller, String name, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        Region region = find(name);
        precondition.check(region.version());
        if (clusters.countIn(name) > 0) {
            throw ProblemException.of(ProblemKind.CONFLICT, name + " has clusters: delete them first");
        }
        long stored = references.accountsIn(name);
        if (stored > 0) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT, stored + " accounts have storage in " + name + ": remove it from them first");
        }
        roundTrips.of(name).forEach(trip -> delete(caller, trip));
        regions.delete(region);
        changes.delete(caller, new Subject(KIND, name, null), RegionView.of(region), Affected.NONE);
    }

    private void delete(Caller caller, RoundTrip trip) {
        roundTrips.delete(trip);
        changes.delete(
                caller,
                new Subject(ROUND_TRIP, trip.id().one() + "/" + trip.id().other(), null),
                RoundTripView.of(trip, trip.id().one()),
                Affected.NONE);
    }

    @Transactional
    Page<RoundTripView> roundTrips(String name) {
        find(name);
        return new Page<>(
                roundTrips.of(name).stream()
                        .map(trip -> RoundTripView.of(trip, name))
                        .toList(),
                null);
    }

    @Transactional
    PutOutcome<RoundTripView> put(
            Caller caller, String name, String other, RoundTripSpec spec, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        find(name);
        find(other);
        if (name.equals(other)) {
            throw ProblemException.invalid("other", "must be another region");
        }
        RoundTrip.Id id = RoundTrip.Id.of(name, other);
        RoundTrip known = roundTrips.findById(id);
        precondition.check(known == null ? null : known.version());
        RoundTripView before = known == null ? null : RoundTripView.of(known, name);
        RoundTrip trip = known == null ? new RoundTrip(id, clock.instant()) : known;
        trip.update(spec.micros());
        roundTrips.persistAndFlush(trip);
        RoundTripView after = RoundTripView.of(trip, name);
        return changes.put(
                caller,
                new Subject(ROUND_TRIP, id.one() + "/" + id.other(), null),
                Affected.NONE,
                before == null,
                before,
                after,
                after.version());
    }
}
