package dev.kvstore.accounts.key;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request to rotate a key.
 *
 * @param overlapSeconds the seconds for which the old key stays good; a day if absent
 */
public record RotationSpec(
        @Nullable
        @Min(value = 0, message = "must be 0 to 2592000, which is 30 days")
        @Max(value = 2_592_000, message = "must be 0 to 2592000, which is 30 days")
        Long overlapSeconds) {
    /** The overlap of a request that names none. */
    public static final long DAY = 86_400;

    long overlap() {
        return overlapSeconds == null ? DAY : overlapSeconds;
    }
}
