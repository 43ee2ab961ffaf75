package dev.kvstore.dataplane.account;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something a key may do with an account.
 *
 * @param partition the only partition of the right; null for the whole account
 * @param end from when on it may not; null if never
 */
public record Right(
        Access access, @Nullable String partition, @Nullable Instant end) {}
