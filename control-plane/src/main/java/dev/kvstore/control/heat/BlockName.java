package dev.kvstore.control.heat;

import dev.kvstore.protocol.block.BlockHash;

/**
 * A block of an account.
 *
 * @param root of its partition
 */
public record BlockName(BlockHash root, BlockHash hash) {
    /** Hash of content is hash enough. */
    @Override
    public int hashCode() {
        return hash.hashCode();
    }
}
