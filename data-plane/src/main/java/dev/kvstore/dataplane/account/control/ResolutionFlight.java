package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.Resolution;
import java.util.concurrent.CompletableFuture;

/**
 * A question that is under way, shared by all callers that ask it meanwhile. The lock of {@link ResolutionCache} guards
 * the change that has overtaken it.
 */
final class ResolutionFlight {
    private final ResolutionSubject subject;
    private final CompletableFuture<Resolution> outcome = new CompletableFuture<>();
    private long overtakenBy;
    private boolean startedAnew;

    ResolutionFlight(ResolutionSubject subject) {
        this.subject = subject;
    }

    ResolutionSubject subject() {
        return subject;
    }

    CompletableFuture<Resolution> outcome() {
        return outcome;
    }

    /** Records a change of the key or the resource; an answer that does not know of the change is worth nothing. */
    void overtake(long change) {
        overtakenBy = Math.max(overtakenBy, change);
    }

    /** Records that changes are counted anew, so nobody can tell which changes the next answer includes. */
    void startAnew() {
        overtakenBy = 0;
        startedAnew = true;
    }

    /** Whether the answer that has come, and knows of this change, is worth nothing. */
    boolean isOvertaken(long change) {
        boolean untold = startedAnew;
        startedAnew = false;
        return untold || change < overtakenBy;
    }
}
