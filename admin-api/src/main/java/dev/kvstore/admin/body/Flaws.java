package dev.kvstore.admin.body;

import dev.kvstore.admin.problem.Problem;
import dev.kvstore.admin.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;

/** The first wrong fields of one body; a body of 1 MiB can have many. One thread uses it. */
final class Flaws {
    private static final int MOST = 20;

    private final List<Problem.FieldError> found = new ArrayList<>();

    /**
     * Notes a field that is wrong.
     *
     * @param place the path of the field in the body; empty for the body itself
     * @param detail the rule that the field breaks, and the way out
     */
    void add(String place, String detail) {
        if (found.size() < MOST) {
            found.add(new Problem.FieldError(place.isEmpty() ? "the body" : place, detail));
        }
    }

    /**
     * Checks that no field is wrong.
     *
     * @throws ProblemException if a field is wrong
     */
    void requireNone() {
        if (!found.isEmpty()) {
            throw ProblemException.invalid(found);
        }
    }
}
