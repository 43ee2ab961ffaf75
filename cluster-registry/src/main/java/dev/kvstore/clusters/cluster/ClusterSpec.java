package dev.kvstore.clusters.cluster;

import dev.kvstore.admin.body.KeptIfAbsent;
import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a cluster that an operator sets.
 *
 * @param region the region of the cluster; cannot change
 * @param state provisioning if absent
 * @param addresses patterns of the addresses that its processes may have, {@code *} for any; unchanged if absent, and
 *     any at first
 * @param advertisedAddress the address at which clients reach its processes, such as a load balancer's: host:port for
 *     all of them, a host alone for each at its own port, or {@code none} for each at its own address; unchanged if
 *     absent, and none at first
 */
public record ClusterSpec(
        @NotNull(message = "is missing") @Name String region,
        @Nullable ClusterState state,

        @KeptIfAbsent(initially = "[\"*\"]")
        @Nullable
        @Size(min = 1, max = 32, message = "must have 1 to 32 patterns; [\"*\"] is for any address")
        List<@NotNull(message = "must be a pattern of addresses") String> addresses,

        @KeptIfAbsent(initially = "\"" + ClusterSpec.NO_ADDRESS + "\"") @Nullable
        String advertisedAddress) {
    /** The value of {@link #advertisedAddress} if clients reach each process at its own address. */
    static final String NO_ADDRESS = "none";
}
