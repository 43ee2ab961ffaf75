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
 * @param deadline the longest time of the whole operation, retries included; null means the client's deadline
 * @param affinity operations with an equal affinity, such as a conversation's id, go to the same data plane while that
 *     is healthy and not overloaded; null means that the SDK derives one from the blocks
 * @param writers for reads: ids of the API keys whose blocks are wanted, at most {@value #MAX_WRITERS}; a block that
 *     another key wrote is missing then. Empty means any. A lookup counts blocks of any writer
 * @param expectedBytes for lookups and reads: length in bytes that each block's buffer must have, up to {@link
 *     NewBlock#MAX_BUFFER_BYTES}; 0 means any. A lookup ends its prefix before a block that is known to have another
 *     length; a read of such a block fails with {@code FAILED_PRECONDITION}, which names both lengths. A server that is
 *     older than this option counts blocks of any length in a lookup; a read compares lengths here as well
 */
public record CallOptions(
        @Nullable Duration deadline, @Nullable String affinity, List<String> writers, int expectedBytes) {
    /** The most writers that a call can name. */
    public static final int MAX_WRITERS = 16;

    public static final CallOptions DEFAULT = new CallOptions(null, null, List.of(), 0);

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
        ClientOptions.requireRange("expectedBytes", expectedBytes, 0, NewBlock.MAX_BUFFER_BYTES);
    }

    public CallOptions withDeadline(Duration deadline) {
        return new CallOptions(deadline, affinity, writers, expectedBytes);
    }

    public CallOptions withAffinity(String affinity) {
        return new CallOptions(deadline, affinity, writers, expectedBytes);
    }

    /**
     * These options for blocks of these writers only: ids of API keys, the part between the underscores of
     * kv_id_secret.
     */
    public CallOptions withWriters(String... keyIds) {
        return new CallOptions(deadline, affinity, Arrays.asList(keyIds), expectedBytes);
    }

    /** These options for blocks whose buffers have this length in bytes; 0 for any. */
    public CallOptions withExpectedBytes(int bytes) {
        return new CallOptions(deadline, affinity, writers, bytes);
    }
}
