package dev.kvstore.control.heat;

import dev.kvstore.protocol.heat.Uses;

/**
 * The uses of a block.
 *
 * @param parent the first 8 bytes of the name of the block before it, or of the root
 * @param bytes of its buffer, 1 or more
 * @param uses as {@link Uses} counts them
 * @param told when it was last reported, in seconds since 1970 by the database's clock
 */
public record BlockHeat(BlockName name, long parent, int bytes, double uses, long told) {
    /** The uses of the same block from two reports together. */
    BlockHeat and(BlockHeat other) {
        return new BlockHeat(name, parent, bytes, Uses.sum(uses, other.uses), Math.max(told, other.told));
    }
}
