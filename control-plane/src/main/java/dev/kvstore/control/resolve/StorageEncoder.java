package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.protocol.control.v1.Storage;

/** Puts on the wire where blobs are. Stateless. */
public final class StorageEncoder {
    private StorageEncoder() {}

    public static Storage wire(Resolved.Storage storage) {
        return ResolutionEncoder.storage(
                storage.endpoint(), storage.container(), storage.credential(), storage.createContainer());
    }
}
