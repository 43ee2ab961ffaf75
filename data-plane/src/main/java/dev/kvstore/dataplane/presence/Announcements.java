package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.block.BlockKey;

/** Tells peers at once of stored blocks, which other processes learn later from logs. Must not wait. */
@FunctionalInterface
public interface Announcements {
    /** Tells nobody. */
    Announcements NONE = (_, _) -> {};

    /**
     * A block is durable.
     *
     * @param anew whether storage had no block under this key before, so that a copy elsewhere is of an older block
     */
    void stored(BlockKey key, boolean anew);
}
