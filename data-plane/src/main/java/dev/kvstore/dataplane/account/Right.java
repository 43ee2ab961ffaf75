package dev.kvstore.dataplane.account;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something a key may do with an account.
 *
 * @param partition the one it is for; null for all of the account
 * @param end from when on it may not; null if never
 */
public record Right(
        Access access, @Nullable String partition, @Nullable Instant end) {}
