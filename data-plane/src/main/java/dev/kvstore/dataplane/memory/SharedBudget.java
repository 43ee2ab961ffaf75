package dev.kvstore.dataplane.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A number of bytes that may be in use at a time, shared between holders that do not trust each other. A holder may
 * have at most {@link #PARTS} times as many bytes as are free: four fifths of all, if it is alone; four ninths each, if
 * two take all they can. So some bytes stay free for a new holder, however many others take all they can, and for
 * however long. Switches share their buffers between ports in this way (dynamic thresholds).
 *
 * <p>A caller that finds too few bytes free waits. Holders take turns, and the callers of one holder are served in
 * their order. A holder that already has all it may have is passed over. A holder that only waits for free bytes is
 * not, so that small callers do not starve a large one. Thread-safe; for virtual threads.
 */
public final class SharedBudget {
    /** Bytes that a holder may have for each byte that is free. */
    public static final int PARTS = 4;

    /** The holder of bytes that belong to no tenant; it may take every free byte. */
    public static final Object NOBODY = new Object();

    private static final class BudgetHolder {
        private final Object key;
        private final Deque<Taker> queue = new ArrayDeque<>();
        private long used;

        private BudgetHolder(Object key) {
            this.key = key;
        }
    }

    private static final class Taker {
        private final long bytes;
        private final Condition turn;
        private boolean granted;

        private Taker(long bytes, Condition turn) {
            this.bytes = bytes;
            this.turn = turn;
        }
    }

    private final long limit;
    private final long least;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, BudgetHolder> holders = new HashMap<>();
    private final LinkedHashMap<Object, BudgetHolder> waiting = new LinkedHashMap<>();
    private long used;

    /**
     * A budget of which nothing is taken.
     *
     * @param limit bytes; 0 gives nothing
     * @param least bytes that a holder may have however little is free
     */
    public SharedBudget(long limit, long least) {
        this.limit = limit;
        this.least = least;
    }

    /**
     * Takes bytes, waiting for them if need be.
     *
     * @param holder the holder; equal objects share one share
     * @return false if they are more than the limit, or could not be taken within {@code patience}
     */
    public boolean take(Object holder, long bytes, Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (bytes > limit) {
                return false;
            }
            BudgetHolder budgetHolder = holder(holder);
            return takeNow(budgetHolder, bytes) || waitFor(budgetHolder, bytes, patience.toNanos());
        } finally {
            lock.unlock();
        }
    }

    /** Takes bytes if the holder may have them now. */
    public boolean tryTake(Object holder, long bytes) {
        lock.lock();
        try {
            BudgetHolder budgetHolder = holder(holder);
            boolean taken = takeNow(budgetHolder, bytes);
            forget(budgetHolder);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private boolean takeNow(BudgetHolder budgetHolder, long bytes) {
        if (!budgetHolder.queue.isEmpty()
                || used + bytes > limit
                || !mayHold(budgetHolder, bytes)
                || nextInTurn() != null) {
            return false;
        }
        add(budgetHolder, bytes);
        return true;
    }

    private void add(BudgetHolder budgetHolder, long bytes) {
        budgetHolder.used += bytes;
        used += bytes;
    }

    private boolean waitFor(BudgetHolder budgetHolder, long bytes, long patienceNanos) throws InterruptedException {
        Taker taker = new Taker(bytes, lock.newCondition());
        budgetHolder.queue.addLast(taker);
        waiting.putIfAbsent(budgetHolder.key, budgetHolder);
        long nanos = patienceNanos;
        try {
            while (!taker.granted && nanos > 0) {
                nanos = taker.turn.awaitNanos(nanos);
            }
            return taker.granted;
        } catch (InterruptedException e) {
            if (taker.granted) {
                take(budgetHolder, -bytes);
            }
            throw e;
        } finally {
            if (!taker.granted) {
                budgetHolder.queue.remove(taker);
                if (budgetHolder.queue.isEmpty()) {
                    waiting.remove(budgetHolder.key);
                }
                grant();
                forget(budgetHolder);
            }
        }
    }

    private boolean mayHold(BudgetHolder budgetHolder, long bytes) {
        return budgetHolder.key == NOBODY
                || budgetHolder.used + bytes <= Math.max(least, PARTS * (limit - used - bytes));
    }

    /** The next holder in turn that waits only for free bytes; null if there is none. */
    private @Nullable BudgetHolder nextInTurn() {
        for (BudgetHolder budgetHolder : waiting.values()) {
            if (mayHold(budgetHolder, budgetHolder.queue.getFirst().bytes)) {
                return budgetHolder;
            }
        }
        return null;
    }

    private void grant() {
        for (BudgetHolder budgetHolder = nextInTurn(); budgetHolder != null; budgetHolder = nextInTurn()) {
            Taker taker = budgetHolder.queue.getFirst();
            if (used + taker.bytes > limit) {
                return;
            }
            budgetHolder.queue.removeFirst();
            waiting.remove(budgetHolder.key);
            if (!budgetHolder.queue.isEmpty()) {
                waiting.put(budgetHolder.key, budgetHolder);
            }
            add(budgetHolder, taker.bytes);
            taker.granted = true;
            taker.turn.signal();
        }
    }

    /** Counts bytes that are in use already, beyond the limit if necessary. */
    public void charge(Object holder, long bytes) {
        lock.lock();
        try {
            add(holder(holder), bytes);
        } finally {
            lock.unlock();
        }
    }

    /** Gives taken bytes back. */
    public void giveBack(Object holder, long bytes) {
        lock.lock();
        try {
            take(holder(holder), -bytes);
        } finally {
            lock.unlock();
        }
    }

    private void take(BudgetHolder budgetHolder, long bytes) {
        add(budgetHolder, bytes);
        grant();
        forget(budgetHolder);
    }

    /** Counts bytes that a holder has in use for {@link #NOBODY} from now on; for the holder again, if negative. */
    public void disown(Object holder, long bytes) {
        lock.lock();
        try {
            BudgetHolder budgetHolder = holder(holder);
            budgetHolder.used -= bytes;
            if (bytes > 0) {
                grant();
            }
            forget(budgetHolder);
        } finally {
            lock.unlock();
        }
    }

    private BudgetHolder holder(Object key) {
        return holders.computeIfAbsent(key, BudgetHolder::new);
    }

    private void forget(BudgetHolder budgetHolder) {
        if (budgetHolder.used == 0 && budgetHolder.queue.isEmpty()) {
            holders.remove(budgetHolder.key);
        }
    }

    /** Bytes in use. */
    public long used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes in use of the holder that has the most; {@link #NOBODY} does not count. */
    public long mostOfOneHolder() {
        lock.lock();
        try {
            return holders.values().stream()
                    .filter(budgetHolder -> budgetHolder.key != NOBODY)
                    .mapToLong(budgetHolder -> budgetHolder.used)
                    .max()
                    .orElse(0);
        } finally {
            lock.unlock();
        }
    }

    /** Number of callers that wait. */
    int takers() {
        lock.lock();
        try {
            return waiting.values().stream()
                    .mapToInt(budgetHolder -> budgetHolder.queue.size())
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** Most bytes in use at a time. */
    public long limit() {
        return limit;
    }
}
