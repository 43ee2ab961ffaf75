package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;

/**
 * The place of a record on disk. Immutable.
 *
 * @param region the region's number, below 2^20
 * @param page of {@link BlockMemory#PAGE_BYTES} within the region, below 2^16
 * @param length of the block in bytes, 1 or more, below 2^27; on disk it is padded to whole pages
 */
record DiskAddress(int region, int page, int length) {
    static final int MAX_REGIONS = 1 << 20;
    static final int MAX_PAGES = 1 << 16;
    static final int MAX_LENGTH = (1 << 27) - 1;

    /** The bit that is set in {@link #packed} when the record has been read since it was written. */
    static final long READ = 1L << 27;

    private static final int PAGE_SHIFT = 28;
    private static final int REGION_SHIFT = 44;

    /** The address in one word, never 0. */
    long packed() {
        return ((long) region << REGION_SHIFT) | ((long) page << PAGE_SHIFT) | length;
    }

    static DiskAddress of(long packed) {
        return new DiskAddress(
                regionOf(packed), (int) (packed >>> PAGE_SHIFT) & (MAX_PAGES - 1), (int) packed & MAX_LENGTH);
    }

    static int regionOf(long packed) {
        return (int) (packed >>> REGION_SHIFT);
    }

    /** Pages that so many bytes take up. */
    static int pages(int length) {
        return BlockMemory.padded(length) / BlockMemory.PAGE_BYTES;
    }
}
