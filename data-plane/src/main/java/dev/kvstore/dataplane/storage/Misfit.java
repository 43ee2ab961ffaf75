package dev.kvstore.dataplane.storage;

/**
 * A blob of a length that its reader has no use for: somebody else, or damage, made it so. None of it was read.
 *
 * @param length bytes: 0, or more than the reader takes
 */
public record Misfit(String etag, long length) implements Got {
    /** Whether a blob of so many bytes is one, whoever reads it: no store puts it. */
    public static boolean is(long length) {
        return is(length, BlockStore.MAX_BLOB_BYTES);
    }

    /** Whether a blob of so many bytes is one for who takes this many. */
    public static boolean is(long length, int most) {
        return length < 1 || length > most;
    }
}
