package dev.kvstore.dataplane.storage;

import java.time.Duration;

/**
 * Limits for reading files in a tenant's storage. Containers belong to tenants, which may put any file there under any
 * name. Each limit is checked before anything is allocated, and is higher than data planes ever need. A file beyond a
 * limit is not trusted, and not deleted.
 */
public final class ReadLimits {
    /** Bytes of a partition's descriptor: a name of 512 bytes, each escaped as six, and the JSON around it. */
    public static final int DESCRIPTOR_BYTES = 4096;

    /**
     * Keys of a presence log. A process begins another after 4,096, looked at every 5 s, and puts keys beyond 16,384
     * into further logs: this leaves room for blocks that are stored in the meantime. 512 KiB.
     */
    public static final int LOG_KEYS = 65_536;

    /** Heap of a key of a log: its place in a table that grows by doubling, counting both tables. */
    public static final int LOG_KEY_HEAP_BYTES = 48;

    /** Logs of a partition: 256 times as many as are merged into a snapshot. */
    public static final int LOGS = 4_096;

    /** Names in a partition's presence folder: logs, parts, and those parts that died with their writers. Two pages. */
    public static final int PRESENCE_NAMES = 10_000;

    /** Answers to a listing of that folder: a storage may give fewer names than it is asked for. */
    public static final int PRESENCE_PAGES = 16;

    /** Heap of a log's name and state. */
    public static final int LOG_HEAP_BYTES = 512;

    /**
     * Runs of a snapshot. Each has 64 times as many fingerprints as all after it, of which there are 2^36: six at most.
     */
    public static final int RUNS = 8;

    /** Parts of a snapshot, each used once: of 2^21 fingerprints each, 8 billion blocks. */
    public static final int PARTS = 4_096;

    /**
     * Fingerprints in a bucket of a part, which a question may have to go through one by one. Fingerprints are bits of
     * SHA-256, 32 to 64 to a bucket: 512 are 56 standard deviations away.
     */
    public static final int BUCKET_FINGERPRINTS = 512;

    /**
     * Most remembered blocks that the filter has and storage lacks. Before there are more, the partition is listed,
     * which costs a call for each 5,000 blocks.
     */
    public static final int ABSENT_KEYS = 262_144;

    /**
     * Pages of a partition's listing that may have no blocks. Beyond that, one page in five may have other names only.
     */
    public static final int LISTED_PAGES = 1_000;

    /** Presence files of one account that are read at a time: 5 MB each at most. */
    public static final int ACCOUNT_READS = 4;

    /**
     * Pages of names of one account that are read at a time, as a part of its reads: 5,000 names cost a processor some
     * 20 ms, and a process on few processors keeps most of them for calls.
     */
    public static final int ACCOUNT_LISTINGS =
            Math.clamp(Runtime.getRuntime().availableProcessors() / 8, 1, ACCOUNT_READS);

    /** Presence files of all accounts that are read at a time. */
    public static final int READS = 32;

    /**
     * A read of a presence file that lasts longer waits for storage. It counts no more among the reads of its account,
     * and other files are read meanwhile. The largest file takes some 100 ms.
     */
    public static final Duration SLOW_READ = Duration.ofSeconds(1);

    /** Slow reads of one account; beyond them, further reads fail. */
    public static final int ACCOUNT_SLOW_READS = 16;

    /** Slow reads of all accounts; beyond them, further reads fail. */
    public static final int SLOW_READS = 128;

    /** Threads that decode presence files, of which an account has one at a time. */
    public static final int DECODERS = 2;

    /** Most questions of an account to another region's storage: a quarter of all. */
    public static final int ACCOUNT_QUESTIONS = 256;

    /**
     * Heap that presence may always take, even if less is set: 16 logs and the snapshot part that they are merged into.
     */
    public static final long LEAST_HEAP_BYTES = 16L << 20;

    private ReadLimits() {}
}
