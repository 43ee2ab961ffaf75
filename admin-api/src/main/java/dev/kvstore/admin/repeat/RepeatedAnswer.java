package dev.kvstore.admin.repeat;

/**
 * Ends a request with the first answer to an earlier request: a resource's method may return another type than that of
 * the answer.
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
