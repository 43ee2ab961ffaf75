package dev.kvstore.accounts.account;

import dev.kvstore.admin.body.KeptIfAbsent;
import dev.kvstore.admin.name.Name;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a storage account that an admin sets.
 *
 * @param tenant the owner; a tenant admin's own tenant if absent; cannot change
 * @param homeRegion the region of the first replica if absent
 * @param allowedRegions the regions in which the account may be served, home among them; everywhere if absent or empty
 * @param avoidedRegions the regions in which the account is not served for now, home not among them; none if absent
 * @param readThrough another replica that a block is fetched from where one does not have it; none if absent
 * @param maxOfflineSeconds the seconds for which a data plane that does not reach the control plane goes on serving the
 *     account; unchanged if absent, so that a client that does not know the field does not change it. A day at first
 * @param replicas the storages of the account, one for each region, home among them
 */
public record AccountSpec(
        @Nullable @Name String tenant,
        @Nullable @Name String homeRegion,

        @Nullable @Size(max = 64, message = "must have at most 64 regions")
        List<@NotNull(message = "must be a region") @Name String> allowedRegions,

        @Nullable @Size(max = 64, message = "must have at most 64 regions")
        List<@NotNull(message = "must be a region") @Name String> avoidedRegions,

        @Nullable @Valid ReadThrough readThrough,

        @KeptIfAbsent(initially = "" + AccountSpec.USUAL_OFFLINE_SECONDS)
        @Nullable
        @Min(value = 0, message = "must be 0 to 86400")
        @Max(value = AccountSpec.USUAL_OFFLINE_SECONDS, message = "must be 0 to 86400")
        Integer maxOfflineSeconds,

        @NotNull(message = "must have at least one replica")
        @Size(min = 1, max = 32, message = "must have 1 to 32 replicas")
        List<@NotNull(message = "must be an object") @Valid ReplicaSpec> replicas) {
    /** The largest value, and the default: a day. */
    static final int USUAL_OFFLINE_SECONDS = 86_400;

    /**
     * The storage of an account in a region.
     *
     * @param endpoint of the blob service, such as https://name.blob.core.windows.net; if absent, that of the storage
     *     account that has the resource's name
     * @param credential a reference: managed-identity, env:NAME, file:/path or keyvault:https://...
     * @param createContainer make a missing container; for emulators; false if absent
     * @param vouched a platform admin vouches that the storage belongs to the tenant; false if absent
     */
    public record ReplicaSpec(
            @NotNull(message = "is missing") @Name String region,

            @Nullable @Size(min = 1, max = 500, message = "must have 1 to 500 characters")
            String endpoint,

            @Nullable
            @Pattern(
                    regexp = "(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]",
                    message = "must be 3 to 63 of a-z, 0-9 and single '-'")
            String container,

            @Nullable
            @Pattern(
                    regexp = "managed-identity|env:[A-Za-z_][A-Za-z0-9_]{0,200}|file:/[^\\x00-\\x1F\\x7F-\\x9F]{1,500}"
                            + "|keyvault:https://[A-Za-z][A-Za-z0-9-]{1,22}[A-Za-z0-9]"
                            + "\\.vault\\.(azure\\.net|azure\\.cn|usgovcloudapi\\.net)"
                            + "/secrets/[A-Za-z0-9-]{1,127}(/[A-Za-z0-9]{1,64})?",
                    message =
                            "must be managed-identity, env:NAME, file:/path or"
                                    + " keyvault:https://VAULT.vault.azure.net/secrets/NAME; a credential itself has no place here")
            String credential,

            @Nullable Boolean createContainer,
            @Nullable Boolean vouched) {}
}
