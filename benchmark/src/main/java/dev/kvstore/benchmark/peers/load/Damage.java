package dev.kvstore.benchmark.peers.load;

/** What is done to one block before it is stored anywhere, so that it can be seen that a run notices. */
public enum Damage {
    NONE,
    /** It is not stored. */
    LOST,
    /** One bit of it is another. */
    CORRUPTED
}
