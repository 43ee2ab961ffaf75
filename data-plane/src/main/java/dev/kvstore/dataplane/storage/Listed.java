package dev.kvstore.dataplane.storage;

import java.time.Instant;

/**
 * A blob of a listing, as it was then.
 *
 * @param length in bytes
 * @param modified when it was put, to the second
 * @param archived whether it was an {@link ArchivedBlob}, which nobody can read
 */
public record Listed(String name, long length, Instant modified, boolean archived) {
    /** A blob that can be read. */
    public Listed(String name, long length, Instant modified) {
        this(name, length, modified, false);
    }
}
