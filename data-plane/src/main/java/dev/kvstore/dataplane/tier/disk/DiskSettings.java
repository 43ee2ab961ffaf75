package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The folder and the room that a disk tier, or one of its disks, may use.
 *
 * @param folder of its own
 * @param bytes most that its files take up
 * @param regionPages pages of a region; a record takes less than half of one
 * @param queueBytes most memory of blocks on their way to the disk
 * @param retry how often a folder that cannot be used is tried again
 */
public record DiskSettings(Path folder, long bytes, int regionPages, long queueBytes, Duration retry) {
    /** 256 MiB for a region and the other files of the folder: several of the longest blocks, and not many files. */
    private static final long SHARE_BYTES = 256L << 20;

    private static final int REGION_PAGES = (int) ((SHARE_BYTES - Folder.BOOKKEEPING_BYTES) / BlockMemory.PAGE_BYTES);

    /** The fewest bytes with which a tier keeps anything: a region to append to, and one to give up. */
    public static final long MIN_BYTES = 2 * SHARE_BYTES;

    /** Most memory of blocks on their way: a quarter of a second of a fast disk, and room for the longest block. */
    public static final long MAX_QUEUE_BYTES = 128L * 1024 * 1024;

    /** How long a disk that fails is left alone. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** The settings of a process with this much memory for blocks, some of which it gives to the queue. */
    public static DiskSettings of(Path folder, long bytes, long memoryBytes) {
        return new DiskSettings(folder, bytes, REGION_PAGES, queueBytes(memoryBytes), Duration.ofSeconds(30));
    }

    /** The part of the memory for blocks that is kept for blocks on their way to the disk. */
    public static long queueBytes(long memoryBytes) {
        return Math.min(memoryBytes / 4, MAX_QUEUE_BYTES);
    }

    /** The most disks of a tier: each has two regions at least, one to append to, and one to give up. */
    int mostDisks() {
        long least = 2L * regionPages * BlockMemory.PAGE_BYTES + Folder.BOOKKEEPING_BYTES;
        return Math.clamp(bytes / least, 1, DiskAddress.MAX_REGIONS);
    }

    /** The settings of a disk that has an equal share of the bytes. */
    DiskSettings of(Path disk, int disks) {
        return new DiskSettings(disk, bytes / disks, regionPages, queueBytes, retry);
    }

    /** The part of the memory for blocks on their way that is for survivors; blocks that wait cannot take it. */
    long survivorBytes() {
        return queueBytes / 4;
    }

    /** Whole regions within the budget. */
    int regions() {
        long region = (long) regionPages * BlockMemory.PAGE_BYTES;
        return (int) Math.min(DiskAddress.MAX_REGIONS, Math.max(0, (bytes - Folder.BOOKKEEPING_BYTES) / region));
    }

    /** Most pages of a record: it fits a region of which survivors of another, and their directories, took half. */
    int recordPages() {
        return regionPages / 2 - regionPages / 64 - 2;
    }
}
