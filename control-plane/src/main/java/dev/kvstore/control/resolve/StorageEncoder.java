package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.protocol.control.v1.Storage;

/** Encodes the storage of an account for the wire. Stateless. */
public final class StorageEncoder {
    private StorageEncoder() {}

    public static Storage wire(Resolved.Storage storage) {
        return ResolutionEncoder.storage(
                storage.endpoint(), storage.container(), storage.credential(), storage.createContainer());
    }
}
