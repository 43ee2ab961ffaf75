package dev.kvstore.admin.page;

import dev.kvstore.admin.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/** How many items a page has. Stateless. */
public final class PageLimit {
    public static final int DEFAULT = 100;
    public static final int MAX = 1_000;

    private PageLimit() {}

    /**
     * The limit that a caller asks for.
     *
     * @param text null for the default
     * @throws ProblemException if it is none
     */
    public static int of(@Nullable String text) {
        try {
            int limit = text == null ? DEFAULT : Integer.parseInt(text);
            if (limit >= 1 && limit <= MAX) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw ProblemException.invalid("limit", "must be 1 to " + MAX);
    }
}
