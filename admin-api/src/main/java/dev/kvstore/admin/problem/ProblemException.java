package dev.kvstore.admin.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Ends a request with a {@link Problem}; its transaction is rolled back. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    private ProblemException(Problem problem) {
        super(problem.detail());
        this.problem = problem;
    }

    /** A problem of this kind. */
    public static ProblemException of(ProblemKind kind, String detail) {
        return new ProblemException(problem(kind, detail, List.of()));
    }

    /** A problem that was found earlier, in another thread. */
    public static ProblemException of(Problem problem) {
        return new ProblemException(problem);
    }

    /** The problem of one wrong field. */
    public static ProblemException invalid(String field, String detail) {
        return invalid(List.of(new Problem.FieldError(field, detail)));
    }

    /**
     * The problem of some wrong fields.
     *
     * @param errors at least one
     */
    public static ProblemException invalid(List<Problem.FieldError> errors) {
        String detail = errors.stream()
                .map(error -> error.field() + " " + error.detail())
                .collect(Collectors.joining("; "));
        return new ProblemException(problem(ProblemKind.INVALID, detail, errors));
    }

    /** The problem of a resource that does not exist, for a caller that would see it. */
    public static ProblemException notFound(String what, String name) {
        return new ProblemException(problem(ProblemKind.NOT_FOUND, "there is no " + what + " " + name, List.of())
                .visible(true));
    }

    /** The problem of a resource that does not exist, or that the caller may not see; the answer does not say which. */
    public static ProblemException notFoundOrHidden(String what, String name) {
        return new ProblemException(
                problem(ProblemKind.NOT_FOUND, "there is no " + what + " " + name + ", or it is not yours", List.of())
                        .visible(false));
    }

    /** The problem that the caller gets. */
    public Problem problem() {
        return problem;
    }

    static Problem problem(ProblemKind kind, String detail, List<Problem.FieldError> errors) {
        return new Problem(kind.type(), kind.title(), kind.status(), detail, errors, null);
    }
}
