package dev.kvstore.dataplane.call;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Resets the stream of a client that does not read the answer that it asked for. Closing the call would only queue the
 * status behind the messages that the client does not read; resetting its HTTP/2 stream frees the memory at once.
 */
public final class StalledClientReset {
    private final Context.@Nullable CancellableContext call;

    private StalledClientReset(Context.@Nullable CancellableContext call) {
        this.call = call;
    }

    /** The reset of the call being started. */
    public static StalledClientReset ofCurrentCall() {
        return new StalledClientReset(CallContext.current());
    }

    /** Resets the call's stream; the client sees {@code CANCELLED}. */
    public void cancel(Duration stalled) {
        if (call != null) {
            // The transport resets a stream whose context ends by a timeout.
            call.cancel(new TimeoutException("the client took nothing for " + stalled));
        }
    }

    /** Waits for the client to take everything, and resets the stream if it does not. */
    void cancelUnlessClosed(CallInput<?> input, Duration patience) throws InterruptedException {
        if (!input.awaitClosed(patience)) {
            cancel(patience);
        }
    }
}
