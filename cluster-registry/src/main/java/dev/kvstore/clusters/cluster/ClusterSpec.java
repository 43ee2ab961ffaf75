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
 * @param region where it is; cannot change
 * @param state provisioning if absent
 * @param addresses patterns of the addresses at which its processes may be, {@code *} for any; as they were if absent,
 *     which is any at first
 * @param advertisedAddress where clients reach its processes, as through a load balancer: host:port for all of them, a
 *     host alone for each at its own port, or {@code none} for each at its own address; as it was if absent, which is
 *     none at first
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
