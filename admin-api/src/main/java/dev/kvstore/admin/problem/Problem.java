package dev.kvstore.admin.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not done: an {@code application/problem+json} of RFC 9457.
 *
 * @param type which kind of problem, a URI that stays the same
 * @param title what that kind is called
 * @param status HTTP's
 * @param detail what is wrong with this request, and the way out
 * @param errors the fields that are wrong, if fields are
 * @param visible of what is not found: whether the caller would see it if it were there; null of all else
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
     * What is wrong with a field.
     *
     * @param field its path in the body, or the parameter's name
     */
    public record FieldError(String field, String detail) {}

    public Problem {
        errors = List.copyOf(errors);
    }

    /** The same, which says whether the caller would see what is not found. */
    Problem visible(boolean isVisible) {
        return new Problem(type, title, status, detail, errors, isVisible);
    }
}
