package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.StorageDecoder;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.DelayedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.control.v1.Task;

/**
 * The two storages of a task, opened when they are first used. Thread-safe.
 *
 * @param distance latency added to calls to the source, for trials
 */
record CopyEndpoints(Task task, StoreCache stores, AddedLatency distance) {
    /** The storage that has the blocks. */
    StorageLocation from() throws StorageException {
        return StorageDecoder.ofJob(task.getSource(), task.getResourceName());
    }

    /** The storage to which the blocks are copied. */
    StorageLocation to() throws StorageException {
        return StorageDecoder.ofJob(task.getCopying().getTarget(), task.getResourceName());
    }

    BlockStore source() throws StorageException {
        BlockStore source = stores.store(new Account(task.getResourceName(), "", from()));
        return distance.isNone() ? source : new DelayedStore(source, distance);
    }

    BlockStore target() throws StorageException {
        return stores.store(new Account(task.getResourceName(), "", to()));
    }
}
