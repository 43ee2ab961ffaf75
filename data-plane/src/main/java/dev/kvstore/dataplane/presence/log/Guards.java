package dev.kvstore.dataplane.presence.log;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.TenantReads;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Keeps the presence files of all accounts within limits: the threads that read them, their heap, and the warnings
 * about them. Thread-safe.
 */
public final class Guards {
    /** An account whose files go beyond a limit is warned of once in this time. */
    public static final Duration QUIET = Duration.ofMinutes(10);

    private static final int MAX_WARNED = 10_000;
    private static final System.Logger LOG = System.getLogger(Guards.class.getName());

    private final TenantReads reads = new TenantReads();
    private final HeapLimit heap;
    private final Cache<String, Boolean> warned;

    public Guards(HeapLimit heap, Ticker ticker) {
        this.heap = heap;
        this.warned = Caffeine.newBuilder()
                .maximumSize(MAX_WARNED)
                .expireAfterWrite(QUIET)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** The guard of an account's files, by where they lie. */
    public Guard of(String account) {
        return new Guard(this, account);
    }

    /** The guard of one account. */
    public record Guard(Guards guards, String account) {
        public TenantReads reads() {
            return guards.reads;
        }

        public HeapLimit heap() {
            return guards.heap;
        }

        /** Says once that a partition cannot be trusted. */
        public void warn(String partition, String reason) {
            if (guards.warned.asMap().putIfAbsent(account, Boolean.TRUE) == null) {
                LOG.log(
                        Level.WARNING,
                        "presence files of {0} go beyond limits: lookups of partition {1}, and of others like it, ask"
                                + " storage about each block until these files are gone: {2}",
                        account,
                        partition,
                        reason);
            }
        }
    }
}
