package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.block.BlockKey;

/** Hears at once of what others read in logs later. Must not wait. */
@FunctionalInterface
public interface Announcements {
    /** Nobody is told. */
    Announcements NONE = _ -> {};

    /** A block is durable, and is about to be acknowledged. */
    void stored(BlockKey key);
}
