package dev.kvstore.dataplane.storage;

import java.util.List;

/**
 * Looks for settings of a storage that its owner may not know of. Changes nothing. A question that storage refuses, or
 * does not answer, makes its traits unknown, and is no failure; a storage that does not answer is asked nothing more.
 * Thread-safe.
 */
public interface StorageInspection {
    /** The inspection of storages without such settings, such as folders. */
    StorageInspection NONE = new StorageInspection() {
        @Override
        public List<StorageTrait> whileStored(String blob) {
            return List.of();
        }

        @Override
        public List<StorageTrait> afterDeletion(String blob) {
            return List.of();
        }
    };

    /** The traits that can be seen while a blob is there. Takes up to three calls. */
    List<StorageTrait> whileStored(String blob);

    /** The traits that can be seen once the blob was deleted. Takes one call. */
    List<StorageTrait> afterDeletion(String blob);
}
