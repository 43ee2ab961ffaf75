package dev.kvstore.accounts.resolve;

import dev.kvstore.accounts.account.Limits;
import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.accounts.grant.Access;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rights of a key on a resource. */
public sealed interface Resolved {
    /**
     * The key does not exist, was revoked, has expired, or its tenant is suspended.
     *
     * @param expired whether the whole key is right and has only expired
     */
    record UnknownKey(boolean expired) implements Resolved {}

    /**
     * The resource does not exist, is not ready, or the key has no right there.
     *
     * @param tenant the tenant for which the key speaks
     * @param expiresAt when the key ends; null if never
     * @param notReady whether the key has rights there and the account only lacks a storage that has passed a trial
     */
    record NotGranted(String tenant, @Nullable Instant expiresAt, boolean notReady) implements Resolved {}

    /**
     * The key has rights.
     *
     * @param keyTenant the tenant for which the key speaks
     * @param tenant the tenant that owns the account
     * @param maxOffline the time for which a data plane may use the answer without a control plane; null for the
     *     default
     */
    record Granted(
            String resourceName,
            String keyTenant,
            String tenant,
            StorageRow storage,
            Limits limits,
            @Nullable ReadThrough readThrough,
            @Nullable Duration maxOffline,
            List<Right> rights)
            implements Resolved {
        public Granted {
            rights = List.copyOf(rights);
        }
    }

    /**
     * Another region's storage, from which blocks are fetched that the region's own lacks.
     *
     * @param region of that other storage
     * @param within the longest wait of a call for a block
     */
    record ReadThrough(String region, StorageRow storage, Duration within) {}

    /**
     * A right of the key.
     *
     * @param partition null for all of the account
     * @param expiresAt when the right ends: the earlier end of key and grant; null if never
     */
    record Right(
            Access access,
            @Nullable String partition,
            @Nullable Instant expiresAt) {}
}
