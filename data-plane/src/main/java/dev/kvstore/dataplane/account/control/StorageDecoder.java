package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.control.v1.Storage;

/** Translates the control plane's description of a storage into its location. Stateless. */
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
