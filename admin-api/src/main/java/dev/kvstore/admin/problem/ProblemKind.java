package dev.kvstore.admin.problem;

/** The kinds of problems. */
public enum ProblemKind {
    INVALID(400, "The request is not valid"),
    UNAUTHENTICATED(401, "No valid credential"),
    FORBIDDEN(403, "Not allowed"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Not a method of this resource"),
    NOT_ACCEPTABLE(406, "Not available in this form"),
    CONFLICT(409, "Conflicts with the present state"),
    PRECONDITION_FAILED(412, "Changed meanwhile"),
    LENGTH_REQUIRED(411, "Length required"),
    TOO_LARGE(413, "Too large"),
    MEDIA_TYPE(415, "Not JSON"),
    KEY_REUSED(422, "The Idempotency-Key belongs to another request"),
    BUSY(429, "Too many requests at a time"),
    INTERNAL(500, "The service failed"),
    UNAVAILABLE(503, "The database does not answer"),
    ISSUER_AWAY(503, "The issuer of tokens does not answer", 2),
    CONTENTION(503, "Other changes were in the way", 1),
    CROWDED(503, "Too many calls wait", 1),
    UNKNOWN(503, "It is not known whether the change was made");

    private final int status;
    private final String title;
    private final int retryAfterSeconds;

    ProblemKind(int status, String title) {
        this(status, title, 0);
    }

    ProblemKind(int status, String title, int retryAfterSeconds) {
        this.status = status;
        this.title = title;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** HTTP's status. */
    public int status() {
        return status;
    }

    /** The seconds after which the request may be made again; 0 if there is no general answer. */
    int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** The title, for people. */
    public String title() {
        return title;
    }

    /** The problem's type, a URN that ends with a stable name. */
    public String type() {
        return "urn:kvstore:problem:"
                + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /** The kind of problem for a status that the framework chose. */
    static ProblemKind of(int status) {
        for (ProblemKind kind : values()) {
            if (kind.status == status) {
                return kind;
            }
        }
        return status >= 500 ? INTERNAL : INVALID;
    }
}
