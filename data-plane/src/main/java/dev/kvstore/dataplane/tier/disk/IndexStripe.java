package dev.kvstore.dataplane.tier.disk;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the index: an open-addressed table of three words a record (key, key, place), at most three quarters full.
 * A record takes 32 to 64 bytes of heap. Thread-safe.
 */
final class IndexStripe {
    /** Takes the records that a walk over the table finds. */
    @FunctionalInterface
    interface RecordVisitor {
        void visit(RecordKey key, DiskAddress address);
    }

    private static final int WORDS = 3;
    private static final int FIRST_SLOTS = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private long[] table = new long[WORDS * FIRST_SLOTS];
    private int size;

    /** The place of a record, or null; {@code read} notes that it is wanted. */
    @Nullable
    DiskAddress find(RecordKey key, boolean read) {
        lock.lock();
        try {
            int slot = slot(key);
            long packed = table[slot + 2];
            if (packed == 0) {
                return null;
            }
            if (read) {
                table[slot + 2] = packed | DiskAddress.READ;
            }
            return DiskAddress.of(packed);
        } finally {
            lock.unlock();
        }
    }

    void put(RecordKey key, DiskAddress address) {
        lock.lock();
        try {
            int slot = slot(key);
            if (table[slot + 2] == 0 && ++size > table.length / WORDS / 4 * 3) {
                grow();
                slot = slot(key);
            }
            set(table, slot, key.high(), key.low(), address.packed());
        } finally {
            lock.unlock();
        }
    }

    /** Moves a record, unless it is elsewhere by now. */
    boolean replace(RecordKey key, DiskAddress from, DiskAddress to) {
        lock.lock();
        try {
            int slot = slot(key);
            if (!isAt(slot, from)) {
                return false;
            }
            table[slot + 2] = to.packed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean remove(RecordKey key) {
        lock.lock();
        try {
            int slot = slot(key);
            if (table[slot + 2] == 0) {
                return false;
            }
            removeAt(slot);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            table = new long[WORDS * FIRST_SLOTS];
            size = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a record is at this very place. */
    boolean isAt(RecordKey key, DiskAddress address) {
        lock.lock();
        try {
            return isAt(slot(key), address);
        } finally {
            lock.unlock();
        }
    }

    private boolean isAt(int slot, DiskAddress address) {
        return (table[slot + 2] & ~DiskAddress.READ) == address.packed();
    }

    /** Removes the records of a region; returns how many there were. */
    int removeRegion(int region) {
        lock.lock();
        try {
            int before = size;
            for (int slot = 0; slot < table.length; slot += WORDS) {
                // A removal may move another record into this slot, which is then checked again.
                while (table[slot + 2] != 0 && DiskAddress.regionOf(table[slot + 2]) == region) {
                    removeAt(slot);
                }
            }
            return before - size;
        } finally {
            lock.unlock();
        }
    }

    /** Visits the records of a region that were read since they were written. */
    void visitRead(int region, RecordVisitor visitor) {
        lock.lock();
        try {
            for (int slot = 0; slot < table.length; slot += WORDS) {
                long packed = table[slot + 2];
                if ((packed & DiskAddress.READ) != 0 && DiskAddress.regionOf(packed) == region) {
                    visitor.visit(new RecordKey(table[slot], table[slot + 1]), DiskAddress.of(packed));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    private int slot(RecordKey key) {
        int slot = home(table, key.low());
        while (table[slot + 2] != 0 && !(table[slot] == key.high() && table[slot + 1] == key.low())) {
            slot = next(table, slot);
        }
        return slot;
    }

    /** The first slot of a search: the lower half of a key is as good as random; the upper half tells stripes apart. */
    private static int home(long[] table, long low) {
        return ((int) low & (table.length / WORDS - 1)) * WORDS;
    }

    private static int next(long[] table, int slot) {
        return slot + WORDS == table.length ? 0 : slot + WORDS;
    }

    private static void set(long[] table, int slot, long high, long low, long packed) {
        table[slot] = high;
        table[slot + 1] = low;
        table[slot + 2] = packed;
    }

    /** Moves back the records that would not be found beyond the gap, so that no slot is lost to removed records. */
    private void removeAt(int removed) {
        size--;
        int gap = removed;
        for (int slot = next(table, gap); table[slot + 2] != 0; slot = next(table, slot)) {
            int home = home(table, table[slot + 1]);
            boolean reachable = gap <= slot ? gap < home && home <= slot : gap < home || home <= slot;
            if (!reachable) {
                set(table, gap, table[slot], table[slot + 1], table[slot + 2]);
                gap = slot;
            }
        }
        table[gap + 2] = 0;
    }

    private void grow() {
        long[] old = table;
        table = new long[2 * old.length];
        for (int from = 0; from < old.length; from += WORDS) {
            if (old[from + 2] != 0) {
                int to = home(table, old[from + 1]);
                while (table[to + 2] != 0) {
                    to = next(table, to);
                }
                set(table, to, old[from], old[from + 1], old[from + 2]);
            }
        }
    }
}
