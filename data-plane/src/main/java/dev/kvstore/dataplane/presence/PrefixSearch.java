package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Finds the longest stored prefix of a chain. Relies on writers that store the blocks of a chain in order. Stateless.
 */
final class PrefixSearch {
    /** Asks storage whether a block exists. */
    @FunctionalInterface
    interface ExistenceCheck {
        boolean exists(int index) throws StorageException, MemoryExhaustedException;
    }

    /** The length of a block as far as it is known without a storage call. */
    enum Fit {
        /** The block is stored, with the expected length. */
        FITS,
        /** The block is stored with another length. */
        OTHER,
        UNKNOWN
    }

    private PrefixSearch() {}

    /**
     * Number of blocks of the longest stored prefix. Its last block is known to be stored, or was checked.
     *
     * @param size blocks that may be stored
     * @param known costs nothing; true only for blocks that are stored
     * @param check asked at most ceil(log2 size) + 1 times
     */
    static int longest(int size, IntPredicate known, ExistenceCheck check)
            throws StorageException, MemoryExhaustedException {
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

    /**
     * Like {@link #longest} for blocks of one length. The first block of the prefix is checked, too: where two layouts
     * share a partition's name, the one that came second has no first block, but may have later ones. A block that is
     * known to have another length ends the prefix.
     *
     * @param check whether the block is stored with this length; asked at most ceil(log2 size) + 2 times
     */
    static int longestOfLength(int size, IntFunction<Fit> known, ExistenceCheck check)
            throws StorageException, MemoryExhaustedException {
        int fitting = beforeOther(size, known);
        if (fitting > 1 && known.apply(0) != Fit.FITS && !check.exists(0)) {
            return 0;
        }
        return longest(fitting, i -> known.apply(i) == Fit.FITS, check);
    }

    /** Like {@link #longestOfLength}, without a check: -1 if one is needed. */
    static int knownOfLength(int size, IntFunction<Fit> known) {
        int fitting = beforeOther(size, known);
        return fitting == 0 || (known.apply(0) == Fit.FITS && known.apply(fitting - 1) == Fit.FITS) ? fitting : -1;
    }

    private static int beforeOther(int size, IntFunction<Fit> known) {
        for (int i = 0; i < size; i++) {
            if (known.apply(i) == Fit.OTHER) {
                return i;
            }
        }
        return size;
    }
}
