package dev.kvstore.dataplane.tier.disk;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of a disk tier. Thread-safe.
 *
 * @param hits blocks found on disk, or on their way there
 * @param misses blocks found neither there
 * @param evictions records that left for others
 * @param demotions blocks written
 * @param dropped blocks that left memory and were not written, since the disk was too slow or failed
 * @param errors reads and writes that failed
 * @param damaged records that failed a checksum, or were another block's
 */
public record DiskCounters(
        LongAdder hits,
        LongAdder misses,
        LongAdder evictions,
        LongAdder demotions,
        LongAdder dropped,
        LongAdder errors,
        LongAdder damaged) {
    DiskCounters() {
        this(
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder());
    }
}
