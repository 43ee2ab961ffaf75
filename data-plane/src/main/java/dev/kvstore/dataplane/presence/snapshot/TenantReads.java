package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads and decodes presence files: a limited number at a time, and a share of it for each account. An account whose
 * files take long to decode waits for itself alone, and a file that storage takes long to give waits for itself alone.
 * Decoding is done on few platform threads, so that no file takes the processor from calls. Thread-safe.
 */
public final class TenantReads {
    private static final long IDLE_SECONDS = 30;

    /**
     * All readers of the process share these threads. At most one decoding of each account and reader waits for them.
     */
    private static final ThreadPoolExecutor DECODERS = decoders();

    /** A question to storage. */
    @FunctionalInterface
    public interface StorageRead<T extends @Nullable Object> {
        T run() throws StorageException, MemoryExhaustedException, UnreadableException;
    }

    /** Work that asks nobody. */
    @FunctionalInterface
    public interface Decoding<T extends @Nullable Object> {
        T run() throws UnreadableException;
    }

    private final class ReadShare {
        private final ReadSlots reads = new ReadSlots(ReadLimits.ACCOUNT_READS, ReadLimits.ACCOUNT_SLOW_READS, slow);
        private final ReadSlots listings =
                new ReadSlots(ReadLimits.ACCOUNT_LISTINGS, ReadLimits.ACCOUNT_SLOW_READS, slow);
        private final Semaphore decoding = new Semaphore(1, true);
        private int users;
    }

    private final Map<String, ReadShare> shares = new ConcurrentHashMap<>();
    private final Duration slow;
    private final ReadSlots reads;

    /** Nothing is read yet. */
    public TenantReads() {
        this(ReadLimits.SLOW_READ);
    }

    /** @param slow how long a read may last before others are read meanwhile */
    TenantReads(Duration slow) {
        this.slow = slow;
        this.reads = new ReadSlots(ReadLimits.READS, ReadLimits.SLOW_READS, slow);
    }

    /** Threads that are daemons and end when idle. */
    private static ThreadPoolExecutor decoders() {
        ThreadPoolExecutor decoders = new ThreadPoolExecutor(
                ReadLimits.DECODERS,
                ReadLimits.DECODERS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("presence-", 0).factory());
        decoders.allowCoreThreadTimeOut(true);
        return decoders;
    }

    private ReadShare enter(String account) {
        return shares.compute(account, (_, present) -> {
            ReadShare share = present == null ? new ReadShare() : present;
            share.users++;
            return share;
        });
    }

    private void leave(String account) {
        shares.computeIfPresent(account, (_, share) -> --share.users == 0 ? null : share);
    }

    /**
     * Reads from storage once it is this account's turn, on the caller's thread, and returns the answer.
     *
     * @throws StorageException also if too many reads wait for storage already
     */
    public <T extends @Nullable Object> T read(String account, StorageRead<T> reading)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        ReadShare share = enter(account);
        try {
            return within(share.reads, () -> within(reads, reading));
        } finally {
            leave(account);
        }
    }

    /** Like {@link #read}, for a page of names: an account reads fewer of these at a time. */
    public <T extends @Nullable Object> T list(String account, StorageRead<T> reading)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        ReadShare share = enter(account);
        try {
            return within(share.listings, () -> read(account, reading));
        } finally {
            leave(account);
        }
    }

    private static <T extends @Nullable Object> T within(ReadSlots slots, StorageRead<T> reading)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        ReadSlots.RunningRead read = slots.enter();
        try {
            return reading.run();
        } finally {
            slots.leave(read);
        }
    }

    /**
     * Decodes once it is this account's turn, and returns the result. When it returns, nothing uses the caller's memory
     * any more.
     */
    public <T extends @Nullable Object> T decode(String account, Decoding<T> decoding) throws UnreadableException {
        ReadShare share = enter(account);
        try {
            share.decoding.acquireUninterruptibly();
            try {
                return await(DECODERS.submit(decoding::run));
            } finally {
                share.decoding.release();
            }
        } finally {
            leave(account);
        }
    }

    private static <T extends @Nullable Object> T await(Future<T> decoded) throws UnreadableException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return decoded.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw failure(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static UnreadableException failure(ExecutionException e) {
        return switch (e.getCause()) {
            case UnreadableException cause -> cause;
            case RuntimeException cause -> throw cause;
            case Error cause -> throw cause;
            case null, default -> throw new IllegalStateException(e);
        };
    }
}
