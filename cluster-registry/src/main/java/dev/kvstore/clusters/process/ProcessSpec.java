package dev.kvstore.clusters.process;

import dev.kvstore.clusters.address.Address;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a process that an operator sets.
 *
 * @param address of its gRPC listener
 * @param numaNode the NUMA node to which the process is bound; none if absent
 * @param draining whether it must take no new work and finish its open calls; false if absent
 */
public record ProcessSpec(
        @NotNull(message = "is missing") @Pattern(regexp = Address.REGEX, message = Address.SHAPE)
        String address,

        @Nullable @Min(value = 0, message = "must be 0 to 1023") @Max(value = 1023, message = "must be 0 to 1023")
        Integer numaNode,

        @Nullable Boolean draining) {}
