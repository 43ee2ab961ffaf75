package dev.kvstore.benchmark.peers.load;

/** The damage to one block before it is stored anywhere, to show that a run notices it. */
public enum Damage {
    NONE,
    /** The block is not stored. */
    LOST,
    /** One bit of it is another. */
    CORRUPTED
}
