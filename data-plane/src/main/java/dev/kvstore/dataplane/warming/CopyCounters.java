package dev.kvstore.dataplane.warming;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the blocks of warmings by outcome. Thread-safe.
 *
 * @param copiedBytes bytes of the copied blocks
 * @param present blocks that the target had already
 * @param failed blocks that could not be copied
 */
public record CopyCounters(LongAdder copied, LongAdder copiedBytes, LongAdder present, LongAdder failed) {
    CopyCounters() {
        this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    void count(CopyOutcome outcome) {
        switch (outcome) {
            case CopyOutcome.Copied(int bytes) -> {
                copied.increment();
                copiedBytes.add(bytes);
            }
            case CopyOutcome.AlreadyThere _ -> present.increment();
            case CopyOutcome.CopyFailed _ -> failed.increment();
        }
    }
}
