package dev.kvstore.admin.refusal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A {@link TokenBucket} for each caller. Beyond a number of callers, the bucket used longest ago is dropped. Thread-safe. */
final class TokenBuckets {
    private final int burst;
    private final long periodMillis;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, TokenBucket> buckets;

    /**
     * Full buckets.
     *
     * @param callers the most callers with a bucket, 1 or more
     * @param burst the most events of a caller at once, 1 or more
     * @param periodMillis the time after which there is room for one more event of a caller
     */
    TokenBuckets(int callers, int burst, long periodMillis, LongSupplier nanos) {
        this.burst = burst;
        this.periodMillis = periodMillis;
        this.nanos = nanos;
        this.buckets = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
                return size() > callers;
            }
        };
    }

    /** Takes room for one event of a caller; false if there is none. */
    boolean take(String caller) {
        lock.lock();
        try {
            return buckets.computeIfAbsent(caller, _ -> new TokenBucket(burst, periodMillis, nanos))
                    .take();
        } finally {
            lock.unlock();
        }
    }
}
