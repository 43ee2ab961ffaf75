package dev.kvstore.admin.page;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers versions of resources. A resource that is deleted and made anew gets higher numbers than before, so that an
 * old ETag never fits the new resource. Stateless.
 */
public final class Versions {
    private Versions() {}

    /**
     * The first version of a resource that is made at this time: the time in microseconds. Each change adds 1, and
     * takes longer than a microsecond.
     */
    public static long first(Instant now) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now);
    }
}
