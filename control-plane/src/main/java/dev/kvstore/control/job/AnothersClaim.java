package dev.kvstore.control.job;

/** A report names a claim that was given to another lease. */
public final class AnothersClaim extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    AnothersClaim(String job) {
        super(null, null, false, false);
        this.reason = "a claim of the " + job + " was given to another lease";
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
