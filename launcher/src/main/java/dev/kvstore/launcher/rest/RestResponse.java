package dev.kvstore.launcher.rest;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a control plane.
 *
 * @param status the HTTP status
 * @param body the JSON; missing if there is none
 * @param etag the value for {@code If-Match}; null if there is none
 */
public record RestResponse(
        int status, JsonNode body, @Nullable String etag) {
    private static final int FIRST_PROBLEM = 400;
    private static final int CREATED = 201;

    /** Whether a PUT has made a new resource. */
    public boolean created() {
        return status == CREATED;
    }

    /**
     * This answer, if the request was carried out.
     *
     * @throws AdminException with the problem, if it was not
     */
    public RestResponse accepted() {
        if (status >= FIRST_PROBLEM) {
            throw new AdminException(status, ProblemText.of(status, body));
        }
        return this;
    }
}
