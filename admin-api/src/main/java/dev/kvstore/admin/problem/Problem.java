package dev.kvstore.admin.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a request was not carried out: an {@code application/problem+json} of RFC 9457.
 *
 * @param type the kind of problem, as a stable URI
 * @param title the title of the kind
 * @param status HTTP status
 * @param detail the fault of this request, and the way out
 * @param errors the wrong fields; empty if the problem is not about fields
 * @param visible for 404: whether the caller would see the resource if it existed; null for all other problems
 */
@Schema(description = "Why a request was not done (RFC 9457)")
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FieldError> errors,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean visible) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /**
     * A wrong field.
     *
     * @param field the path of the field in the body, or the parameter's name
     */
    public record FieldError(String field, String detail) {}

    public Problem {
        errors = List.copyOf(errors);
    }

    /** This problem with a value of {@code visible}. */
    Problem visible(boolean isVisible) {
        return new Problem(type, title, status, detail, errors, isVisible);
    }
}
