package dev.kvstore.admin.name;

import dev.kvstore.admin.problem.ProblemException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks the time at which something ends. Stateless. */
public final class End {
    /** The last possible end; some clocks and databases cannot count further. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private End() {}

    /**
     * Checks an end.
     *
     * @param end null for none
     * @throws ProblemException if the end is in the past, or beyond the last possible end
     */
    public static void check(String field, @Nullable Instant end, Instant now) {
        if (end != null && (!end.isAfter(now) || end.isAfter(LATEST))) {
            throw ProblemException.invalid(field, "must be in the future, and not after the year 9999");
        }
    }
}
