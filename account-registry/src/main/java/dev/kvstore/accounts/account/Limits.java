package dev.kvstore.accounts.account;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/**
 * The most that an account may take of one data plane; 0 for no limit.
 *
 * @param operations calls that move blocks, served at a time
 * @param bytesPerSecond read and written together
 */
public record Limits(
        @NotNull(message = "is missing")
        @Min(value = 0, message = "must be 0 to 100000")
        @Max(value = 100_000, message = "must be 0 to 100000")
        Integer operations,

        @NotNull(message = "is missing")
        @Min(value = 0, message = "must be 0 to 10^15")
        @Max(value = 1_000_000_000_000_000L, message = "must be 0 to 10^15")
        Long bytesPerSecond) {}
