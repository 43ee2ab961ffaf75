package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageEndpoint;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Storage;
import java.net.URI;
import java.nio.file.Path;

/** Translates the control plane's description of a storage into its location. Stateless. */
public final class StorageDecoder {
    private StorageDecoder() {}

    /**
     * The storage that a job names.
     *
     * @throws StorageException if this version, or this machine, cannot use it
     */
    public static StorageLocation ofJob(Storage storage, String resourceName) throws StorageException {
        try {
            return location(storage, resourceName);
        } catch (IllegalArgumentException e) {
            throw new StorageException(Kind.FORBIDDEN, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The storage of an account.
     *
     * @throws IllegalArgumentException if this version, or this machine, cannot use it
     */
    static StorageLocation location(Storage storage, String resourceName) {
        return switch (storage.getKindCase()) {
            case AZURE -> azure(storage.getAzure(), resourceName);
            case FILESYSTEM -> filesystem(storage.getFilesystem());
            case KIND_NOT_SET -> throw new IllegalArgumentException("storage: is of no kind that this version knows");
        };
    }

    private static StorageLocation azure(AzureStorage azure, String resourceName) {
        URI endpoint = StorageEndpoint.parse(azure.getEndpoint());
        if (endpoint == null) {
            throw new IllegalArgumentException("storage.endpoint: must be http:// or https:// and a host");
        }
        CredentialReference credential = CredentialReference.parse(azure.getCredential(), resourceName);
        if (credential.equals(new CredentialReference.EnvironmentVariable(JoinToken.VARIABLE))) {
            throw new IllegalArgumentException("storage.credential: must not be this data plane's own");
        }
        return new StorageLocation.Azure(endpoint, azure.getContainer(), credential, azure.getCreateContainer());
    }

    private static StorageLocation filesystem(FilesystemStorage filesystem) {
        // An InvalidPathException is an IllegalArgumentException.
        Path path = Path.of(filesystem.getPath());
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("storage.path: must be absolute");
        }
        return new StorageLocation.Filesystem(path);
    }
}
