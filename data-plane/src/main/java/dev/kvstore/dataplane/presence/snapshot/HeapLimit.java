package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.ReadLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the heap for presence (filters and logs, read from tenants' storage): of all accounts together, and of each. A
 * partition that finds no room has no filter, and lookups there ask storage. Thread-safe.
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
     * The limit of a process. All accounts together may take three times {@code filterBytes}, but no more than half of
     * the heap. One account may take two thirds of that limit, since a partition is in memory twice while it is merged.
     * So one account leaves a third to the others.
     *
     * @param filterBytes {@code kvstore.presence-filter-memory}
     * @param heapBytes the largest heap of this JVM
     */
    public static HeapLimit of(long filterBytes, long heapBytes) {
        long set = Math.max(filterBytes, ReadLimits.LEAST_HEAP_BYTES);
        long most = Math.min(3 * set, Math.max(heapBytes / 2, ReadLimits.LEAST_HEAP_BYTES));
        return new HeapLimit(most, most / 3 * 2);
    }

    /** No limit. */
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

    /** The claim of a partition of an account, which takes nothing yet. */
    public HeapReservation claim(String account) {
        return new HeapReservation(account);
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

    /** The bytes that one partition takes. Thread-safe. */
    public final class HeapReservation {
        private final String account;
        private final ReentrantLock mine = new ReentrantLock();
        private long held;
        private boolean released;

        private HeapReservation(String account) {
            this.account = account;
        }

        /**
         * Takes more bytes, before they are allocated.
         *
         * @throws UnreadableException if that is more than the account or all accounts may have; nothing was taken then
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

        /**
         * Sets the claim to the bytes that the partition really takes, even if they are beyond the limit. Answers false
         * if they are beyond the limit: then the caller must forget its knowledge of the partition, and settle again.
         * Sets the claim to nothing if it was released.
         */
        public boolean settle(long bytes) {
            mine.lock();
            try {
                long due = released ? 0 : bytes;
                boolean fits = charge(account, due - held, true);
                held = due;
                return fits;
            } finally {
                mine.unlock();
            }
        }

        /** Gives everything back: from now on, only calls under way use the partition. */
        public void release() {
            mine.lock();
            try {
                released = true;
                boolean _ = settle(0);
            } finally {
                mine.unlock();
            }
        }

        /** Claims again, from the next {@link #settle} on: the partition is kept again. */
        public void renew() {
            mine.lock();
            try {
                released = false;
            } finally {
                mine.unlock();
            }
        }
    }
}
