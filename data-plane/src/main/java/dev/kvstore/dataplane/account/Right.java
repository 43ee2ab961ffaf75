package dev.kvstore.dataplane.account;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something a key may do with an account.
 *
 * @param partition the only partition of the right; null for the whole account
 * @param end the moment from which the key may not do this; null if there is none
 */
public record Right(
        Access access, @Nullable String partition, @Nullable Instant end) {}
