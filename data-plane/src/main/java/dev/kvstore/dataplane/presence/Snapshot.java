package dev.kvstore.dataplane.presence;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Which blocks of a partition may be stored, as of some moment: Bloom filters, each larger than the one before, since a
 * filter cannot grow. Immutable and thread-safe.
 *
 * <pre>
 * 0   "KVPS"
 * 4   u32  version, 1
 * 8   u64  epoch
 * 16  u32  number of filters
 * 20  each filter: u32 capacity, u32 size, words
 * end u32  CRC32C of everything before
 * </pre>
 *
 * All little-endian.
 *
 * @param epoch of two snapshots of one epoch, the later knows all that the earlier knew; a new epoch begins when a
 *     partition was listed and blocks that are gone were forgotten
 */
record Snapshot(long epoch, List<BloomFilter> filters) {
    private static final int MAGIC = 'K' | 'V' << 8 | 'P' << 16 | 'S' << 24;
    private static final int VERSION = 1;
    private static final int FIXED_BYTES = 20;
    private static final int FIRST_CAPACITY = 4096;
    private static final int GROWTH = 4;

    /**
     * No filter is larger: the snapshot of 22 million blocks, 56 MB, is the largest that fits a blob. Beyond that it
     * answers "maybe" ever more often, which costs existence checks.
     */
    private static final int MAX_CAPACITY = FIRST_CAPACITY * GROWTH * GROWTH * GROWTH * GROWTH * GROWTH * GROWTH;

    Snapshot {
        filters = List.copyOf(filters);
    }

    /** Nothing is stored. */
    static Snapshot empty(long epoch) {
        return new Snapshot(epoch, List.of());
    }

    /** False only for a block that was not stored at that moment. */
    boolean mightContain(long key) {
        for (int i = filters.size() - 1; i >= 0; i--) {
            if (filters.get(i).mightContain(key)) {
                return true;
            }
        }
        return false;
    }

    /** This and further blocks. */
    Snapshot with(Collection<Long> keys) {
        List<BloomFilter> more = new ArrayList<>(filters);
        if (!more.isEmpty()) {
            more.set(more.size() - 1, more.getLast().copy());
        }
        for (long key : keys) {
            if (more.isEmpty()) {
                more.add(BloomFilter.ofCapacity(FIRST_CAPACITY));
            } else if (isFull(more.getLast())) {
                more.add(BloomFilter.ofCapacity(more.getLast().capacity() * GROWTH));
            }
            more.getLast().add(key);
        }
        return new Snapshot(epoch, more);
    }

    private static boolean isFull(BloomFilter last) {
        return last.size() >= last.capacity() && last.capacity() < MAX_CAPACITY;
    }

    /** Blocks known, as far as the filters could tell them apart. */
    long size() {
        return filters.stream().mapToLong(BloomFilter::size).sum();
    }

    /** Bytes of {@link #encode}, and about the heap it takes. */
    int encodedBytes() {
        return FIXED_BYTES
                + filters.stream().mapToInt(BloomFilter::encodedBytes).sum()
                + Integer.BYTES;
    }

    ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(encodedBytes()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(epoch).putInt(filters.size());
        filters.forEach(filter -> filter.writeTo(bytes));
        return Sealed.seal(bytes);
    }

    /** Reads a snapshot. */
    static Snapshot decode(ByteBuffer blob) throws UnreadableException {
        ByteBuffer bytes = Sealed.open(blob, MAGIC, VERSION, FIXED_BYTES);
        try {
            long epoch = bytes.getLong();
            int count = bytes.getInt();
            List<BloomFilter> filters = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                filters.add(BloomFilter.readFrom(bytes));
            }
            return new Snapshot(epoch, filters);
        } catch (IllegalArgumentException e) {
            throw new UnreadableException("the snapshot is damaged: " + e.getMessage());
        }
    }
}
