package dev.kvstore.admin.repeat;

/**
 * Ends a request with the answer that one before had: a resource's method may return another type than that answer's.
 */
final class RepeatedAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient IdempotentCall.MadeBefore before;

    RepeatedAnswer(IdempotentCall.MadeBefore before) {
        super("answered as before", null, false, false);
        this.before = before;
    }

    IdempotentCall.MadeBefore answer() {
        return before;
    }
}
