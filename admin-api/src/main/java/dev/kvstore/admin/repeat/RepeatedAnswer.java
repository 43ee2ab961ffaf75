package dev.kvstore.admin.repeat;

/**
 * Ends a request with the answer that one before had: a resource's method may return another type than that answer's.
 */
final class RepeatedAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient IdempotentCall.MadeBefore answer;

    RepeatedAnswer(IdempotentCall.MadeBefore answer) {
        super("answered as before", null, false, false);
        this.answer = answer;
    }

    IdempotentCall.MadeBefore answer() {
        return answer;
    }
}
