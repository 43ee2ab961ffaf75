package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.memory.ByteBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Limits the blocks and bytes that a data plane copies at a time; none while clients keep it busy. Thread-safe. */
final class Lanes {
    /** Most blocks copied at a time. With calls of 150 ms these are 400 blocks a second. */
    static final int BLOCKS = 64;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final Semaphore blocks = new Semaphore(BLOCKS, true);
    private final ByteBudget bytes;
    private final BooleanSupplier busy;

    /**
     * Lanes without blocks.
     *
     * @param bytes most at a time; a longer block goes alone
     * @param busy whether the data plane is busy with clients
     */
    Lanes(long bytes, BooleanSupplier busy) {
        this.bytes = new ByteBudget(bytes);
        this.busy = busy;
    }

    /** The room of one block. */
    final class CopySlot implements AutoCloseable {
        private final long taken;

        private CopySlot(long taken) {
            this.taken = taken;
        }

        @Override
        public void close() {
            bytes.giveBack(taken);
            blocks.release();
        }
    }

    /** Waits for room. */
    CopySlot enter(long length) throws InterruptedException {
        while (busy.getAsBoolean()) {
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
        blocks.acquire();
        long taken = Math.min(length, bytes.limit());
        boolean entered = false;
        try {
            entered = bytes.take(taken, PATIENCE);
        } finally {
            if (!entered) {
                blocks.release();
            }
        }
        return new CopySlot(entered ? taken : 0);
    }
}
