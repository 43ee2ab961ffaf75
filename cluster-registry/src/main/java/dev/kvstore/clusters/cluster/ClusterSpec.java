package dev.kvstore.clusters.cluster;

import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * What an operator says of a cluster.
 *
 * @param region where it is; cannot change
 * @param state provisioning if absent
 */
public record ClusterSpec(
        @NotNull(message = "is missing") @Name String region,
        @Nullable ClusterState state) {}
