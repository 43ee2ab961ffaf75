package dev.kvstore.admin.page;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/**
 * A resource after a PUT.
 *
 * @param created whether the PUT created the resource
 * @param version the version of the resource
 */
public record PutOutcome<T>(T view, long version, boolean created) {
    /** The HTTP response for the outcome. */
    public Response response() {
        return Response.status(created ? Response.Status.CREATED : Response.Status.OK)
                .header(HttpHeaders.ETAG, Precondition.tag(version))
                .entity(view)
                .build();
    }

    /** The HTTP response for a resource that was read. */
    public static <T> Response read(T view, long version) {
        return new PutOutcome<>(view, version, false).response();
    }
}
