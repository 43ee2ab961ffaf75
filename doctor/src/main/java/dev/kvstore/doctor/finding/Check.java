package dev.kvstore.doctor.finding;

/** One look at one thing. It changes nothing there, and ends early when its thread is interrupted. */
public interface Check {
    /** The target of the check: an address, a file, a process. */
    String subject();

    /**
     * Looks.
     *
     * @throws Exception if the look itself failed; the examination makes a finding of it
     */
    CheckOutcome look() throws Exception;

    /** This check, and if it finds nothing, the next one. */
    default Check then(Check next) {
        Check first = this;
        return new Check() {
            @Override
            public String subject() {
                return first.subject();
            }

            @Override
            public CheckOutcome look() throws Exception {
                CheckOutcome outcome = first.look();
                return outcome instanceof CheckOutcome.Sound ? next.look() : outcome;
            }
        };
    }
}
