package dev.kvstore.dataplane.storage;

/**
 * A blob of a length that no store puts: somebody else, or damage, made it so. None of it was read.
 *
 * @param length bytes: 0, or more than {@link BlockStore#MAX_BLOB_BYTES}
 */
public record Misfit(String etag, long length) implements Got {
    /** Whether a blob of so many bytes is one. */
    public static boolean is(long length) {
        return length < 1 || length > BlockStore.MAX_BLOB_BYTES;
    }
}
