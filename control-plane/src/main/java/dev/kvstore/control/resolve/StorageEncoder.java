package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.AccountStorage;
import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Storage;

/** Encodes the storage of an account for the wire. Stateless. */
public final class StorageEncoder {
    private StorageEncoder() {}

    public static Storage wire(StorageRow row) {
        Storage.Builder wire = Storage.newBuilder();
        return switch (AccountStorage.of(row)) {
            case AccountStorage.Filesystem folder ->
                wire.setFilesystem(FilesystemStorage.newBuilder().setPath(folder.path()))
                        .build();
            case AccountStorage.Azure _ ->
                wire.setAzure(AzureStorage.newBuilder()
                                .setEndpoint(row.endpoint())
                                .setContainer(row.container())
                                .setCredential(row.credential())
                                .setCreateContainer(row.createContainer()))
                        .build();
        };
    }
}
