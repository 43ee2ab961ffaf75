package dev.kvstore.clusters.process;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A data-plane process, as callers see it. */
public record ProcessView(
        String cluster,
        String name,
        String address,
        @Nullable Integer numaNode,
        Instant createdAt,
        long version) {
    static ProcessView of(ServingProcess process) {
        return new ProcessView(
                process.id().cluster(),
                process.id().name(),
                process.address(),
                process.numaNode(),
                process.createdAt(),
                process.version());
    }
}
