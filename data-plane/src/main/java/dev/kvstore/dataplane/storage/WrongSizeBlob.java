package dev.kvstore.dataplane.storage;

/**
 * A blob of a length that its reader cannot use: another program stored it, or it is damaged. None of it was read.
 *
 * @param length bytes: 0, or more than the reader takes
 */
public record WrongSizeBlob(String etag, long length) implements Got {
    /** Whether a blob of so many bytes is a misfit for every reader: no store puts such a blob. */
    public static boolean is(long length) {
        return is(length, BlockStore.MAX_BLOB_BYTES);
    }

    /** Whether a blob of so many bytes is a misfit for a reader that takes at most this many. */
    public static boolean is(long length, int most) {
        return length < 1 || length > most;
    }
}
