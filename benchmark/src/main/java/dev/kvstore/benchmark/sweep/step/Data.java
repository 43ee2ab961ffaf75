package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.StoredPrompts;
import java.util.Locale;
import java.util.Map;

/** Where the blocks lie that are read: what {@code --data} takes. */
public enum Data {
    /** In the data planes' memory. */
    HOT,
    /** On their local disks. */
    DISK,
    /** In storage alone. */
    COLD;

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
     * The memory, disk and call slots of a data plane of our own, so that blocks lie in the tier that is measured, and
     * the largest number of clients fits.
     *
     * @param dramBytes memory in which blocks are kept
     * @param diskBytes disk in which they are kept
     * @param transitBytes memory for blocks on their way, of each kind
     * @param calls served at a time
     */
    public record Room(long dramBytes, long diskBytes, long transitBytes, int calls) {
        /** The settings for a data plane. */
        public Map<String, String> settings() {
            String transit = Long.toString(transitBytes);
            return Map.of(
                    "KVSTORE_MEMORY_TIER_SIZE", Long.toString(dramBytes),
                    "KVSTORE_DISK_TIER_SIZE", Long.toString(diskBytes),
                    "KVSTORE_TRANSFER_MEMORY", transit,
                    "KVSTORE_INBOUND_MEMORY", transit,
                    "KVSTORE_UNREAD_RESPONSE_MEMORY", transit,
                    "KVSTORE_MAX_OPERATIONS", Integer.toString(calls),
                    "KVSTORE_MAX_LOOKUPS", Integer.toString(10 * calls));
        }
    }

    /** @param mostClients at a time */
    public Room room(StoredPrompts stock, int mostClients) {
        long taken = takenBytes(stock.blockBytes());
        long all = stock.blocks() * taken;
        long transit = Math.clamp(taken * mostClients * 5 / 4, LEAST_TRANSIT, MOST_TRANSIT);
        int calls = Math.max(LEAST_CALLS, 2 * mostClients);
        return switch (this) {
            // Twice, since written blocks pass through it.
            case HOT -> new Room(Math.max(HOT_DRAM, 2 * all), 0, transit, calls);
            case DISK -> new Room(dramAboveDisk(taken), Math.max(LEAST_DISK, TIMES_DRAM * all), transit, calls);
            case COLD -> new Room(0, 0, transit, calls);
        };
    }

    /** How many blocks are read, unless somebody says otherwise: above a disk, far more than memory holds. */
    public int blocks(int blockBytes) {
        long taken = takenBytes(blockBytes);
        return switch (this) {
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

    /** The place's name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
