package dev.kvstore.clusters.region;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/**
 * How far two regions are apart.
 *
 * @param micros of a round trip
 */
public record RoundTripSpec(
        @NotNull(message = "is missing")
        @Min(value = 1, message = "must be 1 to 10000000, in microseconds")
        @Max(value = 10_000_000, message = "must be 1 to 10000000, in microseconds")
        Long micros) {}
