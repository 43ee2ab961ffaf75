package dev.kvstore.admin.name;

import dev.kvstore.admin.problem.ProblemException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rule for when something ends. Stateless. */
public final class End {
    /** Beyond it, not every clock and database can count. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private End() {}

    /**
     * Holds an end against the rule.
     *
     * @param end null for none
     * @throws ProblemException if it has come already, or never will
     */
    public static void check(String field, @Nullable Instant end, Instant now) {
        if (end != null && (!end.isAfter(now) || end.isAfter(LATEST))) {
            throw ProblemException.invalid(field, "must be in the future, and not after the year 9999");
        }
    }
}
