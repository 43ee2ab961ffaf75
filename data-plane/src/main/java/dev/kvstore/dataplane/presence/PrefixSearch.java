package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.storage.StorageException;
import java.util.function.IntPredicate;

/**
 * Finds the longest stored prefix of a chain. Relies on writers that store the blocks of a chain in order. Stateless.
 */
final class PrefixSearch {
    /** Asks storage whether a block exists. */
    @FunctionalInterface
    interface ExistenceCheck {
        boolean exists(int index) throws StorageException;
    }

    private PrefixSearch() {}

    /**
     * Number of blocks of the longest stored prefix. Its last block is known to be stored, or was checked.
     *
     * @param size blocks that may be stored
     * @param known costs nothing; true only for blocks that are stored
     * @param check asked at most ceil(log2 size) + 1 times
     */
    static int longest(int size, IntPredicate known, ExistenceCheck check) throws StorageException {
        // Whole prompts are asked for again more often than anything else: look at the end first.
        if (size == 0 || known.test(size - 1) || check.exists(size - 1)) {
            return size;
        }
        int stored = size - 1;
        while (stored > 0 && !known.test(stored - 1)) {
            stored--;
        }
        int absent = size - 1;
        while (stored < absent) {
            int middle = stored + (absent - stored) / 2;
            if (check.exists(middle)) {
                stored = middle + 1;
            } else {
                absent = middle;
            }
        }
        return stored;
    }
}
