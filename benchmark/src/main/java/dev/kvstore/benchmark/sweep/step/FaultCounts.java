package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.client.Block;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.block.BlockHash;
import java.util.List;
import java.util.stream.Stream;

/**
 * Faults that must not happen under any load, with the names that the JSON has.
 *
 * @param lost blocks that were acknowledged and not found
 * @param wrong blocks that came back with other bytes than were written, or are reported as damaged
 * @param failed calls that failed for another reason than overload, the SDK's retries included
 * @param told descriptions of the first few
 */
public record FaultCounts(long lost, long wrong, long failed, List<String> told) {
    public static final FaultCounts NONE = new FaultCounts(0, 0, 0, List.of());

    private static final int MOST_TOLD = 5;

    public FaultCounts {
        told = List.copyOf(told);
    }

    public static FaultCounts lost(String what) {
        return new FaultCounts(1, 0, 0, List.of(what));
    }

    public static FaultCounts wrong(String what) {
        return new FaultCounts(0, 1, 0, List.of(what));
    }

    /** A call that failed, other than for overload. */
    public static FaultCounts of(KvStoreException failure) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case NOT_FOUND -> lost(message);
            case DATA_LOSS -> wrong(message);
            default -> new FaultCounts(0, 0, 1, List.of(message));
        };
    }

    /** Compares each byte of a block with the byte that follows from its name. */
    public static FaultCounts compared(BlockHash hash, int blockBytes, Block block) {
        long different = Payload.firstDifference(hash, blockBytes, block.buffers());
        return different < 0 ? NONE : wrong("block " + hash + " differs at byte " + different);
    }

    public long all() {
        return lost + wrong + failed;
    }

    public FaultCounts plus(FaultCounts other) {
        return new FaultCounts(
                lost + other.lost,
                wrong + other.wrong,
                failed + other.failed,
                Stream.concat(told.stream(), other.told.stream())
                        .distinct()
                        .limit(MOST_TOLD)
                        .toList());
    }
}
