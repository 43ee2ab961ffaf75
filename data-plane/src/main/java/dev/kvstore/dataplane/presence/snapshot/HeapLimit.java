package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.ReadLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Heap that what was read from tenants' storage may take: of all accounts together, and of each. Thread-safe.
 */
public final class HeapLimit {
    private final long most;
    private final long mostOfAccount;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> taken = new HashMap<>();
    private long all;

    private HeapLimit(long most, long mostOfAccount) {
        this.most = most;
        this.mostOfAccount = mostOfAccount;
    }

    /**
     * The limit of a process: an account may have its largest partition twice, as while that is merged, and leaves to
     * others what is set for all. No more than half of the heap in all.
     *
     * @param filterBytes {@code kvstore.presence-filter-memory}
     * @param heapBytes the most there is
     */
    public static HeapLimit of(long filterBytes, long heapBytes) {
        long set = Math.max(filterBytes, ReadLimits.LEAST_HEAP_BYTES);
        long most = Math.min(3 * set, Math.max(heapBytes / 2, ReadLimits.LEAST_HEAP_BYTES));
        return new HeapLimit(most, most / 3 * 2);
    }

    /** None but the heap itself. */
    public static HeapLimit none() {
        return new HeapLimit(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Most bytes of all accounts together. */
    public long most() {
        return most;
    }

    /** Most bytes of an account. */
    public long mostOfAccount() {
        return mostOfAccount;
    }

    /** Bytes taken now. */
    public long taken() {
        lock.lock();
        try {
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing yet, for a partition of an account. */
    public Claim claim(String account) {
        return new Claim(account);
    }

    private boolean charge(String account, long bytes, boolean inAnyCase) {
        lock.lock();
        try {
            long own = taken.getOrDefault(account, 0L);
            boolean fits = bytes <= 0 || (bytes <= mostOfAccount - own && bytes <= most - all);
            if (fits || inAnyCase) {
                all += bytes;
                if (own + bytes == 0) {
                    taken.remove(account);
                } else {
                    taken.put(account, own + bytes);
                }
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** What a partition takes. Thread-safe. */
    public final class Claim {
        private final String account;
        private final ReentrantLock mine = new ReentrantLock();
        private long held;

        private Claim(String account) {
            this.account = account;
        }

        /**
         * Takes so much more, before it is allocated.
         *
         * @throws UnreadableException there is no room for it, and nothing was taken
         */
        public void take(long bytes) throws UnreadableException {
            mine.lock();
            try {
                if (!charge(account, bytes, false)) {
                    throw UnreadableException.beyondLimits("it takes more heap than is left for presence, which has "
                            + (most >> 20) + " MiB, " + (mostOfAccount >> 20)
                            + " MiB of it for an account; raise presence-filter-memory, or -Xmx");
                }
                held += bytes;
            } finally {
                mine.unlock();
            }
        }

        /** So much it is in truth; whether it may be that much. */
        public boolean settle(long bytes) {
            mine.lock();
            try {
                boolean fits = charge(account, bytes - held, true);
                held = bytes;
                return fits;
            } finally {
                mine.unlock();
            }
        }
    }
}
