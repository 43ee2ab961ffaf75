package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.EndpointAllowList;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Storage;

/** Encodes the storage of an account for the wire; its endpoint decides of which kind it is. Stateless. */
public final class StorageEncoder {
    private StorageEncoder() {}

    public static Storage wire(Resolved.Storage storage) {
        if (EndpointAllowList.isFolder(storage.endpoint())) {
            return Storage.newBuilder()
                    .setFilesystem(FilesystemStorage.newBuilder().setPath(EndpointAllowList.folder(storage.endpoint())))
                    .build();
        }
        return Storage.newBuilder()
                .setAzure(AzureStorage.newBuilder()
                        .setEndpoint(storage.endpoint())
                        .setContainer(storage.container())
                        .setCredential(storage.credential())
                        .setCreateContainer(storage.createContainer()))
                .build();
    }
}
