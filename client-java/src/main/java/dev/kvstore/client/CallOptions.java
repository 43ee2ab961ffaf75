package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of one call. Immutable.
 *
 * @param deadline for the whole operation, retries included; null means the client's
 * @param affinity operations with an equal affinity, such as a conversation's id, go to the same data plane while that
 *     is healthy and not overloaded; null means that the SDK derives one from the blocks
 * @param writers for reads: ids of the API keys whose blocks are wanted, at most {@value #MAX_WRITERS}; a block that
 *     another key wrote is missing then. Empty means any. A lookup counts blocks of any writer
 */
public record CallOptions(
        @Nullable Duration deadline, @Nullable String affinity, List<String> writers) {
    /** Most writers that a call can name. */
    public static final int MAX_WRITERS = 16;

    public static final CallOptions DEFAULT = new CallOptions(null, null, List.of());

    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    public CallOptions {
        if (deadline != null) {
            ClientOptions.requirePositive("deadline", deadline);
        }
        writers = List.copyOf(writers);
        ClientOptions.requireRange("writers: how many", writers.size(), 0, MAX_WRITERS);
        for (String writer : writers) {
            ClientOptions.require("writers", KEY_ID.matcher(writer).matches(), "must be ids of API keys");
        }
    }

    public CallOptions withDeadline(Duration deadline) {
        return new CallOptions(deadline, affinity, writers);
    }

    public CallOptions withAffinity(String affinity) {
        return new CallOptions(deadline, affinity, writers);
    }

    /** Reads blocks of these writers only: ids of API keys, the part between the underscores of kv_id_secret. */
    public CallOptions withWriters(String... keyIds) {
        return new CallOptions(deadline, affinity, Arrays.asList(keyIds));
    }
}
