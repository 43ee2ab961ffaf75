package dev.kvstore.control.heat;

import dev.kvstore.protocol.block.BlockHash;

/**
 * A block of an account.
 *
 * @param root of its partition
 */
public record BlockName(BlockHash root, BlockHash hash) {
    /** The hash of the content is a good hash code. */
    @Override
    public int hashCode() {
        return hash.hashCode();
    }
}
