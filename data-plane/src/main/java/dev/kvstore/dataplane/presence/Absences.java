package dev.kvstore.dataplane.presence;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocks of a partition that storage does not have, although the filter has them. An answer of storage counts as of the
 * moment in which it was asked: it is ignored if the block may have been stored since. To know that, this remembers the
 * blocks stored last, in their order. An absence counts until the files are read again: a block that was lost, came
 * back and was written again by the process whose log has it is in no newer file. Thread-safe.
 */
final class Absences {
    /**
     * Most remembered blocks. A question that more blocks overtook is void: its answer corrects nothing, which costs
     * the next one a call.
     */
    static final int REMEMBERED = 4096;

    private static final int FIRST = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final KeySet absent = new KeySet();
    private long[] stored = new long[FIRST];
    private long count;
    private int corrections;

    /** Marks the moment in which a question is asked, for {@link #missing}. */
    long asked() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    boolean contains(long key) {
        return absent.contains(key);
    }

    int size() {
        return absent.size();
    }

    /** How often storage lacked a block that the filter has, since {@link #clear}. */
    int corrections() {
        lock.lock();
        try {
            return corrections;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks are stored, as far as anybody knows. */
    void stored(Collection<Long> keys) {
        lock.lock();
        try {
            keys.forEach(this::remove);
        } finally {
            lock.unlock();
        }
    }

    private void remove(long key) {
        int place = (int) (count++ % REMEMBERED);
        if (place >= stored.length) {
            stored = Arrays.copyOf(stored, Math.min(REMEMBERED, Math.max(place + 1, 2 * stored.length)));
        }
        stored[place] = key;
        absent.remove(key);
    }

    /** Any block may have been stored: everything is to be asked anew. */
    void clear() {
        lock.lock();
        try {
            // The count passes all that are remembered, so that every question under way is void.
            count += REMEMBERED + 1;
            corrections = 0;
            absent.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The files were read again: storage is to be asked anew about each block that it lacked. */
    void expire() {
        lock.lock();
        try {
            absent.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Storage does not have a block. Nothing follows from that if the block may have been stored since it was asked.
     *
     * @param asked the answer of {@link #asked} at that moment
     * @param remembered whether filters have the block, so that it must be remembered that storage has not
     * @param disproved is run, in the same step, if the answer counts
     * @return whether the answer counts
     */
    boolean missing(long key, long asked, boolean remembered, Runnable disproved) {
        lock.lock();
        try {
            if (mayBeStoredSince(key, asked)) {
                return false;
            }
            disproved.run();
            if (remembered) {
                corrections++;
                boolean _ = absent.add(key);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean mayBeStoredSince(long key, long asked) {
        if (count - asked > REMEMBERED) {
            return true;
        }
        for (long i = asked; i < count; i++) {
            if (stored[(int) (i % REMEMBERED)] == key) {
                return true;
            }
        }
        return false;
    }

    /** Approximate heap of this object, in bytes. */
    int bytes() {
        return absent.bytes() + stored.length * Long.BYTES;
    }
}
