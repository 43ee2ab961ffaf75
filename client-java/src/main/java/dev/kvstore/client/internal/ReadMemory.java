package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes that the open reads of a client hold together, whether their readers take blocks or not. Each read
 * has a share, which it gives back at its end. Thread-safe.
 */
public final class ReadMemory {
    /** The least number of parts of a read: two for the reader, and as many under way. */
    private static final int LEAST_PARTS = 4;

    private final long limit;
    private final AtomicLong shared = new AtomicLong();

    /** @param limit the most bytes of all shares together */
    public ReadMemory(long limit) {
        this.limit = limit;
    }

    /** The bytes that a read needs at least. */
    public static long least(int partBytes) {
        return LEAST_PARTS * (long) partBytes;
    }

    /**
     * Takes a share for one more read: as much as the read wants, but at most half of the rest of the first half of the
     * limit. The second half is for small shares, so that a client may have many reads.
     *
     * @param wanted bytes with which the read has its full speed
     * @param least bytes that the read needs at least, {@link #least}
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

    /** The bytes of all shares together. */
    public long shared() {
        return shared.get();
    }
}
