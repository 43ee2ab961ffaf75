package dev.kvstore.dataplane.block;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;

/**
 * A block of an account, as tiers and presence know it. Accounts are told apart by where their bytes lie, so that
 * equal content of two tenants never meets.
 */
public record BlockKey(StorageLocation storage, BlockHash root, BlockHash hash) {
    /** The key of a block that a location names. */
    public static BlockKey of(StorageLocation storage, Location location) {
        return new BlockKey(storage, location.root(), location.hash());
    }

    /** Where clients find it. */
    public Location location() {
        return new Location(root, hash);
    }

    /** The blob that holds it: {@code kv/v1/<root>/<first two digits of hash>/<hash>}. */
    public String blobName() {
        String hex = hash.hex();
        return "kv/v1/" + root.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }

    /** The blob that holds the name of its partition. */
    public String descriptorName() {
        return descriptorName(root);
    }

    /** The same, of a partition. */
    public static String descriptorName(BlockHash root) {
        return "kv/v1/" + root.hex() + "/partition.json";
    }

    /** Hash of content is hash enough. */
    @Override
    public int hashCode() {
        return hash.hashCode();
    }
}
