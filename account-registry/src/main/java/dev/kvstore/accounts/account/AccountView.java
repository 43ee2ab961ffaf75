package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A storage account, as callers see it.
 *
 * @param allowedRegions the regions in which the account may be served; empty for all
 * @param maxOfflineSeconds the seconds for which a data plane that does not reach the control plane goes on serving the
 *     account
 * @param ready whether the account is active and each of its replicas can be used
 */
public record AccountView(
        String resourceName,
        String tenant,
        String homeRegion,
        List<String> allowedRegions,
        List<String> avoidedRegions,
        @Nullable ReadThrough readThrough,
        int maxOfflineSeconds,
        AccountState state,
        boolean ready,
        Limits limits,
        List<ReplicaView> replicas,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    /**
     * The storage of an account in a region.
     *
     * @param proof the blob that its owner has to put there; null once the storage is proven, or if an admin vouches
     *     for it
     * @param report of the last trial, which may have failed although the state is ready, since storage that was ready
     *     stays in use; null if there was no trial
     */
    public record ReplicaView(
            String region,
            String endpoint,
            @Nullable String container,
            @Nullable String credential,
            boolean createContainer,
            boolean vouched,
            ReplicaState state,
            @Nullable Proof proof,

            @Nullable @JsonRawValue @Schema(implementation = ProbeReport.class)
            String report) {}

    /**
     * A blob that proves ownership.
     *
     * @param blob its name
     * @param content its required content
     */
    public record Proof(String blob, String content) {}

    /** Whether a call that waits for the account is answered now, because the account is ready or was deleted. */
    boolean settled() {
        return ready || state == AccountState.DELETED;
    }

    static AccountView of(Account account) {
        List<ReplicaView> replicas =
                account.replicas().values().stream().map(AccountView::of).toList();
        return new AccountView(
                account.resourceName(),
                account.tenant(),
                account.homeRegion(),
                account.allowedRegions(),
                account.avoidedRegions(),
                account.readThrough(),
                account.maxOfflineSeconds() == null ? AccountSpec.USUAL_OFFLINE_SECONDS : account.maxOfflineSeconds(),
                account.state(),
                account.state() == AccountState.ACTIVE
                        && replicas.stream().allMatch(replica -> replica.state() == ReplicaState.READY),
                account.limits(),
                replicas,
                account.createdAt(),
                account.updatedAt(),
                account.version());
    }

    private static ReplicaView of(Replica replica) {
        StorageRow storage = replica.storage();
        return new ReplicaView(
                replica.region(),
                storage.endpoint(),
                storage.container().isEmpty() ? null : storage.container(),
                storage.credential().isEmpty() ? null : storage.credential(),
                storage.createContainer(),
                replica.vouched(),
                replica.state(),
                replica.isToProve() ? new Proof(Probes.blob(replica.nonce()), replica.nonce()) : null,
                replica.report());
    }
}
