package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.control.v1.Storage;

/** From what the control plane says of storage to where that is. Stateless. */
public final class StorageDecoder {
    private StorageDecoder() {}

    /**
     * The storage of an account.
     *
     * @throws IllegalArgumentException if this version, or this machine, cannot use it
     */
    public static StorageLocation location(Storage storage, String resourceName) {
        return ResolutionDecoder.storage(storage, resourceName);
    }
}
