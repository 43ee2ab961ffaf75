package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.block.BlockKey;

/** Tells peers at once of stored blocks, which other processes learn later from logs. Must not wait. */
@FunctionalInterface
public interface Announcements {
    /** Tells nobody. */
    Announcements NONE = _ -> {};

    /** A block is durable, and will be acknowledged. */
    void stored(BlockKey key);
}
