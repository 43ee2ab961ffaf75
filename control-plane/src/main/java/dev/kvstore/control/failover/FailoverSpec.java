package dev.kvstore.control.failover;

import org.jspecify.annotations.Nullable;

/**
 * How an admin wants a failover.
 *
 * @param leave whether nobody is served any more in the region that was home, clients near it among them, until the
 *     account's avoidedRegions say otherwise; false if absent
 */
public record FailoverSpec(@Nullable Boolean leave) {
    boolean leaves() {
        return Boolean.TRUE.equals(leave);
    }
}
