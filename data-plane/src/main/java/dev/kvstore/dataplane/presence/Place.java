package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;

/**
 * A partition in a storage.
 *
 * @param observed it belongs to another region: what its processes say is believed, and nothing is written there
 */
record Place(StorageLocation storage, BlockHash root, boolean observed) {
    Place(StorageLocation storage, BlockHash root) {
        this(storage, root, false);
    }

    static Place of(BlockKey key) {
        return new Place(key.storage(), key.root());
    }

    static Place there(BlockKey key) {
        return new Place(key.storage(), key.root(), true);
    }
}
