package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.memory.ByteBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How many blocks a process copies at a time, and how many bytes they have; none while clients need all it has. Thread-safe. */
final class Lanes {
    /** With storage 150 ms away these are 400 blocks a second. */
    static final int BLOCKS = 64;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final Semaphore blocks = new Semaphore(BLOCKS, true);
    private final ByteBudget bytes;
    private final BooleanSupplier busy;

    /**
     * Nobody is on them.
     *
     * @param bytes most at a time; a longer block goes alone
     * @param busy whether clients need all the process has
     */
    Lanes(long bytes, BooleanSupplier busy) {
        this.bytes = new ByteBudget(bytes);
        this.busy = busy;
    }

    /** Of one block. */
    final class Place implements AutoCloseable {
        private final long taken;

        private Place(long taken) {
            this.taken = taken;
        }

        @Override
        public void close() {
            bytes.giveBack(taken);
            blocks.release();
        }
    }

    /** Waits for room. */
    Place enter(long length) throws InterruptedException {
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
        return new Place(entered ? taken : 0);
    }
}
