package dev.kvstore.control.failover;

import org.jspecify.annotations.Nullable;

/**
 * The options of a failover that an admin sets.
 *
 * @param leave whether the former home region serves nobody any more, clients near it included, until the account's
 *     avoidedRegions say otherwise; false if absent
 */
public record FailoverSpec(@Nullable Boolean leave) {
    boolean leaves() {
        return Boolean.TRUE.equals(leave);
    }
}
