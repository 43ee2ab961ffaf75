package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One load per block, however many ask while it lasts. Everyone who asked gets a reference of their own. Thread-safe.
 */
final class SingleFlight {
    /** Fetches a block; the reference it returns is the caller's. */
    @FunctionalInterface
    interface Load {
        Fetched run() throws Exception;
    }

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockKey, List<CompletableFuture<Fetched>>> flights = new HashMap<>();

    SingleFlight(Executor executor) {
        this.executor = executor;
    }

    /** Joins the load under way, or starts one. A failure of the load is the failure of every future it feeds. */
    CompletableFuture<Fetched> load(BlockKey key, Load load) {
        CompletableFuture<Fetched> mine = new CompletableFuture<>();
        boolean first;
        lock.lock();
        try {
            List<CompletableFuture<Fetched>> waiting = flights.get(key);
            first = waiting == null;
            if (waiting == null) {
                waiting = new ArrayList<>(1);
                flights.put(key, waiting);
            }
            waiting.add(mine);
        } finally {
            lock.unlock();
        }
        if (first) {
            executor.execute(() -> fly(key, load));
        }
        return mine;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, everyone who waits must be told
    private void fly(BlockKey key, Load load) {
        try {
            land(key, load.run(), null);
        } catch (Exception | Error e) {
            land(key, null, e);
        }
    }

    private void land(BlockKey key, @Nullable Fetched fetched, @Nullable Throwable failure) {
        List<CompletableFuture<Fetched>> waiting;
        lock.lock();
        try {
            waiting = flights.remove(key);
        } finally {
            lock.unlock();
        }
        for (CompletableFuture<Fetched> future : waiting == null ? List.<CompletableFuture<Fetched>>of() : waiting) {
            if (fetched == null) {
                future.completeExceptionally(failure == null ? new CompletionException(null) : failure);
            } else {
                give(future, fetched);
            }
        }
        if (fetched instanceof Fetched.Found found) {
            found.block().release();
        }
    }

    private static void give(CompletableFuture<Fetched> future, Fetched fetched) {
        if (fetched instanceof Fetched.Found found) {
            found.block().retain();
            if (!future.complete(fetched)) {
                found.block().release();
            }
        } else {
            future.complete(fetched);
        }
    }
}
