package dev.kvstore.dataplane.storage.azure;

import java.net.URI;

/**
 * A container, and how to get into it.
 *
 * @param endpoint of the blob service, such as {@code https://account.blob.core.windows.net}
 * @param name of the container
 * @param createIfMissing for local use; a tenant's container is the tenant's to create
 */
public record AzureContainer(URI endpoint, String name, StorageCredential credential, boolean createIfMissing) {
    /** A container that is there. */
    public AzureContainer(URI endpoint, String name, StorageCredential credential) {
        this(endpoint, name, credential, false);
    }
}
