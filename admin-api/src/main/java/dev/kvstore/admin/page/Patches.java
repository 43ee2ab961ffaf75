package dev.kvstore.admin.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.problem.Problem;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes single fields of a resource: reads it, merges the patch into it, and puts it if it is still as it was read.
 * Thread-safe.
 */
@ApplicationScoped
public class Patches {
    /** The most attempts: each that fails made way for another change of the same resource. */
    private static final int ATTEMPTS = 10;

    private final ObjectMapper json;
    private final Validator validator;

    Patches(ObjectMapper json, Validator validator) {
        this.json = json;
        this.validator = validator;
    }

    /**
     * Puts a resource of one kind.
     *
     * @param <S> the body of its PUT
     * @param <V> the resource, as callers see it
     */
    @FunctionalInterface
    public interface Put<S, V> {
        PutOutcome<V> put(S spec, Precondition precondition);
    }

    /**
     * Makes a change.
     *
     * @param ifMatch the header of the request; null if the caller expects no version
     * @param spec the body of the resource's PUT
     * @param read the resource, with the fields {@code version} and, if a deleted one still exists, {@code state}
     * @throws ProblemException {@link ProblemKind#NOT_FOUND} if the resource is deleted; {@link
     *     ProblemKind#PRECONDITION_FAILED} if it is not as the caller expects, or if others keep changing it; like
     *     reading and putting the resource otherwise
     */
    public <S, V> PutOutcome<V> apply(
            MergePatch patch, @Nullable String ifMatch, Class<S> spec, Supplier<V> read, Put<S, V> put) {
        Precondition expected = Precondition.of(ifMatch, null);
        for (int attempt = 1; ; attempt++) {
            JsonNode view = json.valueToTree(read.get());
            if (view.path("state").asText().equals("deleted")) {
                throw ProblemException.of(ProblemKind.NOT_FOUND, "it is deleted: a PUT makes it anew");
            }
            long version = view.path("version").longValue();
            expected.check(version);
            S wanted = patch.over(view, spec);
            requireValid(wanted);
            try {
                return put.put(wanted, new Precondition(List.of(version), false));
            } catch (ProblemException e) {
                if (attempt == ATTEMPTS || e.problem().status() != ProblemKind.PRECONDITION_FAILED.status()) {
                    throw e;
                }
            }
        }
    }

    private void requireValid(Object spec) {
        List<Problem.FieldError> errors = validator.validate(spec).stream()
                .map(violation ->
                        new Problem.FieldError(violation.getPropertyPath().toString(), violation.getMessage()))
                .sorted(Comparator.comparing(Problem.FieldError::field))
                .toList();
        if (!errors.isEmpty()) {
            throw ProblemException.invalid(errors);
        }
    }
}
