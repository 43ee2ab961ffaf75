package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes that the open reads of a client hold together, whether their readers take them or not. Each read
 * has a share, which it gives back at its end. Thread-safe.
 */
public final class ReadMemory {
    /** Two parts for the reader, and as many under way. */
    private static final int LEAST_PARTS = 4;

    private final long limit;
    private final AtomicLong shared = new AtomicLong();

    /** @param limit bytes of all shares together */
    public ReadMemory(long limit) {
        this.limit = limit;
    }

    /** Bytes without which a read cannot be. */
    public static long least(int partBytes) {
        return LEAST_PARTS * (long) partBytes;
    }

    /**
     * A share for one more read: as much as it wants, but no more than half of what is left of the first half of all.
     * The second half is for small shares, so that a client may have many reads.
     *
     * @param wanted bytes with which the read is as fast as it can be
     * @param least bytes without which it cannot be, {@link #least}
     * @throws KvStoreException {@code RESOURCE_EXHAUSTED} if not even {@code least} bytes are left
     */
    public long take(long wanted, long least) {
        while (true) {
            long before = shared.get();
            long share = Math.max(least, Math.min(wanted, (limit / 2 - before) / 2));
            if (before + share > limit) {
                throw new KvStoreException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "maxReadMemoryBytes: open reads may hold " + limit + " bytes, and have " + before
                                + " of them; close those that are not read, or raise the option");
            }
            if (shared.compareAndSet(before, before + share)) {
                return share;
            }
        }
    }

    public void giveBack(long share) {
        shared.addAndGet(-share);
    }

    /** Bytes of all shares. */
    public long shared() {
        return shared.get();
    }
}
