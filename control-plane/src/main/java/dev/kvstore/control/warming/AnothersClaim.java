package dev.kvstore.control.warming;

/** A report names a claim that was given to another lease. */
final class AnothersClaim extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    AnothersClaim(String warming) {
        super(null, null, false, false);
        this.reason = "a claim of the warming " + warming + " was given to another lease";
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
