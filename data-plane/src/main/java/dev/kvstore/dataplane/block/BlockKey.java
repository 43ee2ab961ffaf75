package dev.kvstore.dataplane.block;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.format.BlockHeader;

/**
 * The key of a block in tiers and presence. It includes the storage, so that equal blocks of two tenants are two keys.
 */
public record BlockKey(StorageLocation storage, BlockHash root, BlockHash hash) {
    /** The key of a block that a location names. */
    public static BlockKey of(StorageLocation storage, Location location) {
        return new BlockKey(storage, location.root(), location.hash());
    }

    /** The location by which clients read the block. */
    public Location location() {
        return new Location(root, hash);
    }

    /** Whether a header is this block's, and not that of another block which lies under its name. */
    public boolean matches(BlockHeader header) {
        return header.hash().equals(hash) && header.root().equals(root);
    }

    /** The name of the block's blob. */
    public String blobName() {
        return BlockNames.block(root, hash);
    }

    /** The name of the blob that describes the block's partition. */
    public String descriptorName() {
        return BlockNames.descriptor(root);
    }

    /** The block's hash serves as hash code. */
    @Override
    public int hashCode() {
        return hash.hashCode();
    }
}
