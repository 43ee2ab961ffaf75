package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.Storages;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.DelayedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;

/**
 * From which storage to which a task's blocks go; opened when it is asked for. Thread-safe.
 *
 * @param distance how much longer calls to the source take than they would, for trials
 */
record Way(Task task, StoreCache stores, AddedLatency distance) {
    /** Where the blocks are. */
    StorageLocation from() throws StorageException {
        return location(task.getSource());
    }

    /** Where they go. */
    StorageLocation to() throws StorageException {
        return location(task.getCopying().getTarget());
    }

    BlockStore source() throws StorageException {
        BlockStore source = stores.store(new Account(task.getResourceName(), "", from()));
        return distance.isNone() ? source : new DelayedStore(source, distance);
    }

    BlockStore target() throws StorageException {
        return stores.store(new Account(task.getResourceName(), "", to()));
    }

    private StorageLocation location(Storage storage) throws StorageException {
        try {
            return Storages.location(storage, task.getResourceName());
        } catch (IllegalArgumentException e) {
            throw new StorageException(Kind.FORBIDDEN, String.valueOf(e.getMessage()), e);
        }
    }
}
