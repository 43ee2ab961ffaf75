package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.lease.ProcessScope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat. Immutable.
 *
 * @param scope the processes for which its sender may speak
 * @param capacity null if it did not change
 * @param draining whether the process itself takes no new work
 */
public record Beat(
        UUID lease, ProcessScope scope, Load load, @Nullable Capacity capacity, boolean draining) {}
