package dev.kvstore.simulation.step.kind;

import dev.kvstore.simulation.control.DatabaseWeather;

/** A step of control planes, their database, or an admin. */
public sealed interface ControlPlaneStep {
    /** A control plane ends at once, and is started again. */
    record Kill(int plane, long downMillis) implements ControlPlaneStep {}

    record Freeze(int plane, long millis) implements ControlPlaneStep {}

    /** Calls of a data plane do not reach a control plane. */
    record CutFromControlPlane(String from, int plane, long millis) implements ControlPlaneStep {}

    /** A control plane does not reach the database. */
    record CutFromDatabase(int plane, long millis) implements ControlPlaneStep {}

    record ChangeWeather(DatabaseWeather weather, long millis) implements ControlPlaneStep {}

    record StepClock(int plane, long millis) implements ControlPlaneStep {}

    record StepDatabaseClock(long millis) implements ControlPlaneStep {}

    /** An admin purges a block. */
    record PurgeBlock(int prompt, int block) implements ControlPlaneStep {}

    /** An admin purges the partition. */
    record PurgePartition() implements ControlPlaneStep {}

    /** An admin purges the blocks that the key wrote, which are all blocks. */
    record PurgeKey() implements ControlPlaneStep {}
}
