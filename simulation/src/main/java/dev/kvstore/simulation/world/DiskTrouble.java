package dev.kvstore.simulation.world;

/** What is wrong with a disk for a while. */
public enum DiskTrouble {
    NONE,
    /** Each read and write takes long. */
    SLOW,
    /** Some reads and writes fail. */
    FAILING,
    /** There is no room for longer or further files. */
    FULL,
    /** It is not there. Its mount point is an empty folder, on the disk of the system. */
    AWAY
}
