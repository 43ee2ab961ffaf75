package dev.kvstore.simulation.world;

/** A fault that a disk has for a while. */
public enum DiskTrouble {
    NONE,
    /** Each read and write takes long. */
    SLOW,
    /** Some reads and writes fail. */
    FAILING,
    /** There is no room for longer or further files. */
    FULL,
    /** The disk is not there. Its mount point is an empty folder, on the disk of the system. */
    AWAY
}
