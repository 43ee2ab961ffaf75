package dev.kvstore.accounts.account;

import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * The source of blocks that the replica of a region does not have: such a block is served, and stored in that replica.
 *
 * @param from the region of another replica; data planes of that region read through to no region
 * @param withinMillis the longest wait of a call for the block, in milliseconds; 500 if absent
 */
public record ReadThrough(
        @NotNull(message = "is missing") @Name String from,

        @Nullable
        @Min(value = 10, message = "must be 10 to 10000")
        @Max(value = 10_000, message = "must be 10 to 10000")
        Integer withinMillis) {
    /** The default wait: six round trips around half the world, for a filter and a block of 1.2 MB. */
    static final int USUAL_MILLIS = 500;

    ReadThrough orUsual() {
        return withinMillis == null ? new ReadThrough(from, USUAL_MILLIS) : this;
    }
}
