package dev.kvstore.clusters.region;

/**
 * How far a region is from another, as callers see it.
 *
 * @param micros of a round trip
 */
public record RoundTripView(String region, String other, long micros, long version) {
    static RoundTripView of(RoundTrip trip, String region) {
        RoundTrip.Id id = trip.id();
        return new RoundTripView(
                region, id.one().equals(region) ? id.other() : id.one(), trip.micros(), trip.version());
    }
}
