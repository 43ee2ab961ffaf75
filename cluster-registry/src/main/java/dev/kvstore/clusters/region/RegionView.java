package dev.kvstore.clusters.region;

import java.time.Instant;

/** A region, as callers see it. */
public record RegionView(String name, String displayName, Instant createdAt, long version) {
    static RegionView of(Region region) {
        return new RegionView(region.name(), region.displayName(), region.createdAt(), region.version());
    }
}
