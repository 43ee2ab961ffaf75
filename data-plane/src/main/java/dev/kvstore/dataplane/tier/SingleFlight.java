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
 * Loads a block once, however many callers ask for it while the load lasts. Each caller gets a future and a reference
 * of its own. A caller that cancels its future gives up its reference alone; the load goes on, also if nobody waits any
 * more. Thread-safe.
 */
final class SingleFlight {
    /** Fetches a block. The reference that it returns belongs to {@link SingleFlight}, which gives it back. */
    @FunctionalInterface
    interface Load {
        Fetched run() throws Exception;
    }

    /** A load and the futures that wait for it. */
    private static final class Flight {
        final List<CompletableFuture<Fetched>> waiting = new ArrayList<>(1);
    }

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockKey, Flight> flights = new HashMap<>();

    SingleFlight(Executor executor) {
        this.executor = executor;
    }

    /**
     * Joins the load under way, or starts one. If the load fails, every future that waits for it fails with the same
     * exception.
     */
    CompletableFuture<Fetched> load(BlockKey key, Load load) {
        CompletableFuture<Fetched> mine = new CompletableFuture<>();
        Flight started = null;
        lock.lock();
        try {
            Flight flight = flights.get(key);
            if (flight == null) {
                flight = new Flight();
                started = flight;
                flights.put(key, flight);
            }
            flight.waiting.add(mine);
        } finally {
            lock.unlock();
        }
        if (started != null) {
            start(key, started, load);
        }
        return mine;
    }

    @SuppressWarnings("CatchingUnchecked") // futures must not wait for a load that was not started
    private void start(BlockKey key, Flight flight, Load load) {
        try {
            executor.execute(() -> fly(key, flight, load));
        } catch (Exception | Error e) {
            land(key, flight, null, e);
        }
    }

    /**
     * Closes the load under way for further callers, since its answer may be out of date by now. Callers that joined it
     * already still get that answer.
     */
    void overtake(BlockKey key) {
        lock.lock();
        try {
            flights.remove(key);
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, each future must complete
    private void fly(BlockKey key, Flight flight, Load load) {
        try {
            land(key, flight, load.run(), null);
        } catch (Exception | Error e) {
            land(key, flight, null, e);
        }
    }

    private void land(BlockKey key, Flight flight, @Nullable Fetched fetched, @Nullable Throwable failure) {
        lock.lock();
        try {
            flights.remove(key, flight);
        } finally {
            lock.unlock();
        }
        // Nobody joins it any more.
        for (CompletableFuture<Fetched> future : flight.waiting) {
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
