package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.Storages;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;

/** From which storage to which a task's blocks go; opened when it is asked for. Thread-safe. */
record Way(Task task, StoreCache stores) {
    /** Where the blocks are. */
    StorageLocation from() throws StorageException {
        return location(task.getSource());
    }

    /** Where they go. */
    StorageLocation to() throws StorageException {
        return location(task.getCopying().getTarget());
    }

    BlockStore source() throws StorageException {
        return stores.store(new Account(task.getResourceName(), "", from()));
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
