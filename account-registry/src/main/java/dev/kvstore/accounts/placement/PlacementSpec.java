package dev.kvstore.accounts.placement;

import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * The placement of an account that an admin sets.
 *
 * @param pinned whether only this cluster may serve the account in the region; false if absent
 */
public record PlacementSpec(
        @NotNull(message = "is missing") @Name String cluster,
        @Nullable Boolean pinned) {}
