package dev.kvstore.accounts.placement;

import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * What an admin says of where an account is served.
 *
 * @param pinned nothing but this cluster may serve it in the region; false if absent
 */
public record PlacementSpec(
        @NotNull(message = "is missing") @Name String cluster,
        @Nullable Boolean pinned) {}
