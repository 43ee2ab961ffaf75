package dev.kvstore.accounts.resolve;

import dev.kvstore.accounts.account.Limits;
import dev.kvstore.accounts.grant.Access;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a key may do with a resource. */
public sealed interface Resolved {
    /** No such key, or revoked, or expired, or of a tenant that is suspended. */
    record UnknownKey() implements Resolved {}

    /**
     * The resource does not exist, is not ready, or is not for this key.
     *
     * @param tenant for which the key speaks
     * @param expiresAt when the key ends; null if never
     */
    record NotGranted(String tenant, @Nullable Instant expiresAt) implements Resolved {}

    /**
     * It may.
     *
     * @param keyTenant for which the key speaks
     * @param tenant that owns the account
     * @param maxOffline for how long this may serve where the control plane is not heard; null if nobody has said
     */
    record Granted(
            String resourceName,
            String keyTenant,
            String tenant,
            Storage storage,
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
     * Where the blobs are.
     *
     * @param container empty for a folder
     * @param credential a reference; empty for a folder
     */
    record Storage(String endpoint, String container, String credential, boolean createContainer) {}

    /**
     * Where a block may be fetched from that the storage does not have.
     *
     * @param region of that other storage
     * @param within most time that a call may wait for it
     */
    record ReadThrough(String region, Storage storage, Duration within) {}

    /**
     * What it may.
     *
     * @param partition null for all of the account
     * @param expiresAt of key and grant the earlier; null if never
     */
    record Right(
            Access access,
            @Nullable String partition,
            @Nullable Instant expiresAt) {}
}
