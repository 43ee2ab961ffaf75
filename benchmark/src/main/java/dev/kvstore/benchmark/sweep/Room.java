package dev.kvstore.benchmark.sweep;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory, disk and call slots of a data plane of our own, so that blocks lie in the tier that is measured, and the
 * largest number of clients fits.
 *
 * @param dramBytes memory in which blocks are kept
 * @param diskBytes disk in which they are kept
 * @param transitBytes memory for blocks on their way, of each kind
 * @param calls served at a time
 */
record Room(long dramBytes, long diskBytes, long transitBytes, int calls) {
    private static final long MIB = 1 << 20;
    private static final long PAGE = 4096;

    private static final long HOT_DRAM = 384 * MIB;
    private static final long LEAST_DRAM = 8 * MIB;
    private static final long LEAST_DISK = 4096 * MIB;
    private static final int DRAM_BLOCKS_ABOVE_DISK = 64;

    private static final long LEAST_TRANSIT = 256 * MIB;
    private static final long MOST_TRANSIT = 1024 * MIB;

    // As many as the data plane has by default, or twice the clients that there are at most.
    private static final int LEAST_CALLS = 100;

    private static final int HOT_BLOCKS = 64;
    private static final int COLD_BLOCKS = 256;
    private static final int TIMES_DRAM = 4;

    /**
     * The room for a kind of data, a stock of blocks and a largest number of clients.
     *
     * @param mostClients at a time
     */
    static Room of(Data data, SweepStock stock, int mostClients) {
        long taken = takenBytes(stock.blockBytes());
        long all = stock.blocks() * taken;
        long transit = Math.clamp(taken * mostClients * 5 / 4, LEAST_TRANSIT, MOST_TRANSIT);
        int calls = Math.max(LEAST_CALLS, 2 * mostClients);
        return switch (data) {
            // Twice, since written blocks pass through it.
            case HOT -> new Room(Math.max(HOT_DRAM, 2 * all), 0, transit, calls);
            case DISK -> new Room(dramAboveDisk(taken), Math.max(LEAST_DISK, TIMES_DRAM * all), transit, calls);
            case COLD -> new Room(0, 0, transit, calls);
        };
    }

    /** How many blocks are read, unless somebody says otherwise: above a disk, far more than memory holds. */
    static int blocks(Data data, int blockBytes) {
        long taken = takenBytes(blockBytes);
        return switch (data) {
            case HOT -> HOT_BLOCKS;
            case DISK -> (int) Math.max(COLD_BLOCKS, TIMES_DRAM * dramAboveDisk(taken) / taken);
            case COLD -> COLD_BLOCKS;
        };
    }

    private static long dramAboveDisk(long taken) {
        return Math.max(LEAST_DRAM, DRAM_BLOCKS_ABOVE_DISK * taken);
    }

    /** The memory that one block takes: whole pages, for its header and for its buffer. */
    private static long takenBytes(int blockBytes) {
        return PAGE + (blockBytes + PAGE - 1) / PAGE * PAGE;
    }

    /** The settings for a data plane. */
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("KVSTORE_MEMORY_TIER_SIZE", Long.toString(dramBytes));
        settings.put("KVSTORE_TRANSFER_MEMORY", Long.toString(transitBytes));
        settings.put("KVSTORE_INBOUND_MEMORY", Long.toString(transitBytes));
        settings.put("KVSTORE_UNREAD_RESPONSE_MEMORY", Long.toString(transitBytes));
        settings.put("KVSTORE_MAX_OPERATIONS", Integer.toString(calls));
        settings.put("KVSTORE_MAX_LOOKUPS", Integer.toString(10 * calls));
        settings.put("KVSTORE_DISK_TIER_SIZE", Long.toString(diskBytes));
        return Map.copyOf(settings);
    }
}
