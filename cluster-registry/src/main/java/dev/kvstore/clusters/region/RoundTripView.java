package dev.kvstore.clusters.region;

/**
 * The round trip between two regions, as callers see it.
 *
 * @param micros the time of a round trip in microseconds
 */
public record RoundTripView(String region, String other, long micros, long version) {
    static RoundTripView of(RoundTrip trip, String region) {
        RoundTrip.Id id = trip.id();
        return new RoundTripView(
                region, id.one().equals(region) ? id.other() : id.one(), trip.micros(), trip.version());
    }
}
