package dev.kvstore.dataplane.storage;

import java.time.Instant;

/**
 * A blob of a listing, as it was then.
 *
 * @param length in bytes
 * @param modified when it was put, to the second
 */
public record Listed(String name, long length, Instant modified) {}
