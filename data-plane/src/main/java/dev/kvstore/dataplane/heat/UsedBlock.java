package dev.kvstore.dataplane.heat;

import dev.kvstore.protocol.block.BlockHash;

/**
 * A block by the name under which admins know its account, which is the same in every region.
 *
 * @param root of its partition
 */
record UsedBlock(String resourceName, BlockHash root, BlockHash hash) {
    /** Hash of content is hash enough. */
    @Override
    public int hashCode() {
        return hash.hashCode();
    }
}
