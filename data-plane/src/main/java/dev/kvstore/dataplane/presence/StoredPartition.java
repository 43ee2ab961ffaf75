package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;

/**
 * A partition in a storage.
 *
 * @param observed whether the partition belongs to another region: its files are believed, and nothing is written there
 */
record StoredPartition(StorageLocation storage, BlockHash root, boolean observed) {
    StoredPartition(StorageLocation storage, BlockHash root) {
        this(storage, root, false);
    }

    static StoredPartition of(BlockKey key) {
        return new StoredPartition(key.storage(), key.root());
    }

    static StoredPartition there(BlockKey key) {
        return new StoredPartition(key.storage(), key.root(), true);
    }
}
