package dev.kvstore.admin.page;

import dev.kvstore.admin.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/** Reads the limit of a page's items. Stateless. */
public final class PageLimit {
    public static final int DEFAULT = 100;
    public static final int MAX = 1_000;

    private PageLimit() {}

    /**
     * The limit that a caller asks for.
     *
     * @param text null for the default
     * @throws ProblemException if the text is no limit
     */
    public static int of(@Nullable String text) {
        try {
            int limit = text == null ? DEFAULT : Integer.parseInt(text);
            if (limit >= 1 && limit <= MAX) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // The error below covers this.
        }
        throw ProblemException.invalid("limit", "must be 1 to " + MAX);
    }
}
