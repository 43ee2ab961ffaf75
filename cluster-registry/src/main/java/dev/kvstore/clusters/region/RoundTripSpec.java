package dev.kvstore.clusters.region;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/**
 * The fields of a round trip that an operator sets.
 *
 * @param micros the time of a round trip in microseconds
 */
public record RoundTripSpec(
        @NotNull(message = "is missing")
        @Min(value = 1, message = "must be 1 to 10000000, in microseconds")
        @Max(value = 10_000_000, message = "must be 1 to 10000000, in microseconds")
        Long micros) {}
