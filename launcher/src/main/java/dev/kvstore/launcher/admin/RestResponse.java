package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a control plane.
 *
 * @param status HTTP's
 * @param body missing where there is none
 * @param etag to be given back as {@code If-Match}; null where there is none
 */
public record RestResponse(
        int status, JsonNode body, @Nullable String etag) {
    private static final int FIRST_PROBLEM = 400;
    private static final int CREATED = 201;

    /** Whether a PUT has made a resource that was not there before. */
    public boolean created() {
        return status == CREATED;
    }

    /**
     * The same, of a request that was done.
     *
     * @throws AdminException with the problem, of one that was not
     */
    public RestResponse accepted() {
        if (status >= FIRST_PROBLEM) {
            throw new AdminException(status, ProblemText.of(status, body));
        }
        return this;
    }
}
