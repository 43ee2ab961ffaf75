package dev.kvstore.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What may differ from call to call. Immutable.
 *
 * @param deadline for the whole operation, retries included; null means the client's
 * @param affinity operations with equal keys (a conversation's id, say) go to the same process while it is healthy and
 *     not overloaded; null means the SDK derives one from the blocks
 */
public record CallOptions(
        @Nullable Duration deadline, @Nullable String affinity) {
    public static final CallOptions DEFAULT = new CallOptions(null, null);

    public CallOptions {
        if (deadline != null) {
            ClientOptions.requirePositive("deadline", deadline);
        }
    }

    public CallOptions withDeadline(Duration deadline) {
        return new CallOptions(deadline, affinity);
    }

    public CallOptions withAffinity(String affinity) {
        return new CallOptions(deadline, affinity);
    }
}
