package dev.kvstore.accounts.account;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;

/**
 * The columns of a storage, the same for every kind.
 *
 * @param endpoint its scheme decides the kind
 * @param container empty for a folder
 * @param credential a reference, never a secret; empty for a folder
 */
@Embeddable
public record StorageRow(
        String endpoint,
        String container,
        String credential,
        @Column(name = "create_container") boolean createContainer) {
    /** Whether both storages have their blobs in the same place. */
    public boolean isAt(StorageRow other) {
        return endpoint.equals(other.endpoint) && container.equals(other.container);
    }
}
