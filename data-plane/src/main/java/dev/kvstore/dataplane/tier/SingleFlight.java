package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Loads a block once, however many callers ask for it while the load lasts. Each caller gets a future and a reference
 * of its own. A load that no caller waits for any more is given up, since it would keep a connection and memory from
 * loads that callers wait for. Thread-safe.
 */
final class SingleFlight {
    /** Fetches a block. The reference that it returns belongs to {@link SingleFlight}, which gives it back. */
    @FunctionalInterface
    interface BlockLoader {
        Fetched run() throws Exception;
    }

    /** A caller that waits for a load. */
    private record Passenger(CompletableFuture<Fetched> future, Turn turn) {}

    /** A load and the callers that wait for it. */
    private final class LoadInFlight implements Turn {
        private final BlockKey key;
        private final List<Passenger> waiting = new ArrayList<>(1);
        private int left;
        private boolean givenUp;
        private @Nullable Thread asking;

        LoadInFlight(BlockKey key) {
            this.key = key;
        }

        /** A caller waits no more. */
        void leave() {
            lock.lock();
            try {
                if (++left < waiting.size() || givenUp) {
                    return;
                }
                givenUp = true;
                flights.remove(key, this);
                if (asking != null) {
                    asking.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Lets this thread be interrupted from now on; false if nobody waits any more. */
        boolean isWanted(@Nullable Thread thread) {
            lock.lock();
            try {
                asking = thread;
                return !givenUp;
            } finally {
                lock.unlock();
            }
        }

        /** Whether it is the turn of a caller that waits. If not, the load fails, and no further caller joins it. */
        @Override
        public boolean admits(int bytes) {
            lock.lock();
            try {
                if (waiting.stream()
                        .anyMatch(of -> !of.future().isDone() && of.turn().admits(bytes))) {
                    return true;
                }
                flights.remove(key, this);
                return false;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Asks for a block. */
    @FunctionalInterface
    interface Question {
        Fetched ask() throws StorageException, MemoryExhaustedException;
    }

    private static final ScopedValue<LoadInFlight> CURRENT = ScopedValue.newInstance();

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockKey, LoadInFlight> flights = new HashMap<>();

    SingleFlight(Executor executor) {
        this.executor = executor;
    }

    /**
     * Joins the load under way, or starts one. If the load fails, every future that waits for it fails with the same
     * exception.
     *
     * @param turn may be asked with this object's lock held
     */
    CompletableFuture<Fetched> load(BlockKey key, Turn turn, BlockLoader load) {
        CompletableFuture<Fetched> mine = new CompletableFuture<>();
        LoadInFlight flight;
        boolean started = false;
        lock.lock();
        try {
            LoadInFlight known = flights.get(key);
            if (known == null) {
                flight = new LoadInFlight(key);
                flights.put(key, flight);
                started = true;
            } else {
                flight = known;
            }
            flight.waiting.add(new Passenger(mine, turn));
        } finally {
            lock.unlock();
        }
        var _ = mine.whenComplete((_, _) -> {
            if (mine.isCancelled()) {
                flight.leave();
            }
        });
        if (started) {
            start(flight, load);
        }
        return mine;
    }

    @SuppressWarnings("CatchingUnchecked") // futures must not wait for a load that was not started
    private void start(LoadInFlight flight, BlockLoader load) {
        try {
            executor.execute(() -> fly(flight, load));
        } catch (Exception | Error e) {
            land(flight, null, e);
        }
    }

    /**
     * Lets no further caller join the load under way, since its answer may be out of date by now. The load goes on, and
     * callers that joined it before get its answer.
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
    private void fly(LoadInFlight flight, BlockLoader load) {
        try {
            land(
                    flight,
                    ScopedValue.where(Turn.CURRENT, flight)
                            .where(CURRENT, flight)
                            .call(load::run),
                    null);
        } catch (Exception | Error e) {
            land(flight, null, e);
        }
    }

    /**
     * Asks within the load that this thread runs. The thread is interrupted as soon as no caller waits for that load
     * any more.
     *
     * @throws CancellationException if no caller waits for it
     */
    static Fetched asking(Question question) throws StorageException, MemoryExhaustedException {
        LoadInFlight flight = CURRENT.get();
        if (!flight.isWanted(Thread.currentThread())) {
            throw new CancellationException("nobody waits for it");
        }
        try {
            return question.ask();
        } finally {
            var _ = flight.isWanted(null);
            var _ = Thread.interrupted();
        }
    }

    private void land(LoadInFlight flight, @Nullable Fetched fetched, @Nullable Throwable failure) {
        lock.lock();
        try {
            flights.remove(flight.key, flight);
        } finally {
            lock.unlock();
        }
        // No caller joins it any more.
        for (Passenger passenger : flight.waiting) {
            if (fetched == null) {
                passenger.future().completeExceptionally(failure == null ? new CompletionException(null) : failure);
            } else {
                give(passenger.future(), fetched);
            }
        }
        if (fetched instanceof Fetched.FetchedBlock fetchedBlock) {
            fetchedBlock.block().release();
        }
    }

    private static void give(CompletableFuture<Fetched> future, Fetched fetched) {
        if (fetched instanceof Fetched.FetchedBlock fetchedBlock) {
            fetchedBlock.block().retain();
            if (!future.complete(fetched)) {
                fetchedBlock.block().release();
            }
        } else {
            future.complete(fetched);
        }
    }
}
