package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.client.Block;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.block.BlockHash;
import java.util.ArrayList;
import java.util.List;

/** Faults that must not happen under any load: blocks that are gone or wrong, and calls that fail. Thread-safe. */
final class Faults {
    /** How many are told of; all are counted. */
    private static final int MOST_TOLD = 5;

    private final List<String> told = new ArrayList<>();
    private long lost;
    private long wrong;
    private long failed;

    /**
     * How many there were, with the names that the JSON has.
     *
     * @param lost blocks that were acknowledged and not found
     * @param wrong blocks that came back with other bytes than were written, or are reported as damaged
     * @param failed calls that failed for another reason than overload, the SDK's retries included
     * @param told descriptions of the first few
     */
    record FaultCounts(long lost, long wrong, long failed, List<String> told) {
        static final FaultCounts NONE = new FaultCounts(0, 0, 0, List.of());

        FaultCounts {
            told = List.copyOf(told);
        }

        long all() {
            return lost + wrong + failed;
        }

        FaultCounts plus(FaultCounts other) {
            List<String> both = new ArrayList<>(told);
            both.addAll(other.told);
            return new FaultCounts(
                    lost + other.lost,
                    wrong + other.wrong,
                    failed + other.failed,
                    both.stream().distinct().limit(MOST_TOLD).toList());
        }
    }

    synchronized void lost(String what) {
        lost++;
        tell(what);
    }

    synchronized void wrong(String what) {
        wrong++;
        tell(what);
    }

    /** A call that failed, other than for overload. */
    synchronized void add(KvStoreException failure) {
        switch (failure.code()) {
            case NOT_FOUND -> lost++;
            case DATA_LOSS -> wrong++;
            default -> failed++;
        }
        tell(String.valueOf(failure.getMessage()));
    }

    /** Compares each byte of a block with the byte that follows from its name. */
    void compare(BlockHash hash, int blockBytes, Block block) {
        long different = Payload.firstDifference(hash, blockBytes, block.buffers());
        if (different >= 0) {
            wrong("block " + hash + " differs at byte " + different);
        }
    }

    private void tell(String what) {
        if (told.size() < MOST_TOLD && !told.contains(what)) {
            told.add(what);
        }
    }

    synchronized FaultCounts count() {
        return new FaultCounts(lost, wrong, failed, told);
    }
}
