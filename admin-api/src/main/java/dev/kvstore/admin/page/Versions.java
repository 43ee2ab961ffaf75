package dev.kvstore.admin.page;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Numbers versions. What is deleted and made anew under its name goes on with higher ones, so that the entity tag of what is
 * gone is never that of what took its place. Stateless.
 */
public final class Versions {
    private Versions() {}

    /** The first version of what is made at this time: its microsecond. Each change adds one, and takes longer than that. */
    public static long first(Instant now) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now);
    }
}
