package dev.kvstore.dataplane.storage;

import java.nio.ByteBuffer;

/** Checks of arguments, besides names: every backend rejects wrong ones as an {@link IllegalArgumentException}. */
public final class Arguments {
    private static final int MOST_NAMES = 5000;

    private Arguments() {}

    public static void requireContent(ByteBuffer content) {
        if (WrongSizeBlob.is(content.remaining())) {
            throw new IllegalArgumentException(
                    "a blob of " + content.remaining() + " bytes, not 1 to " + BlockStore.MAX_BLOB_BYTES);
        }
    }

    public static void requireRange(long offset, int length) {
        if (offset < 0 || length < 1 || length > BlockStore.MAX_BLOB_BYTES) {
            throw new IllegalArgumentException("no range of " + length + " bytes at " + offset);
        }
    }

    /** Requires a valid number of bytes for a reader of a whole blob. */
    public static void requireMost(int bytes) {
        if (bytes < 1 || bytes > BlockStore.MAX_BLOB_BYTES) {
            throw new IllegalArgumentException(
                    "a reader of " + bytes + " bytes, not 1 to " + BlockStore.MAX_BLOB_BYTES);
        }
    }

    public static void requireLimit(int limit) {
        if (limit < 1 || limit > MOST_NAMES) {
            throw new IllegalArgumentException("a page of " + limit + " names, not 1 to " + MOST_NAMES);
        }
    }
}
