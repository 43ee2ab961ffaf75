package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.AccountUsage;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.tier.BlockSource;
import dev.kvstore.dataplane.tier.Tiers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that one stream has asked for and not yet sent, loaded ahead within the stream's bound and a bound of all
 * streams. The length of a block is known only while it is loaded: until then a guess counts, then the length. A block
 * that is longer than the guess is loaded on if the bounds have room for it; else its load is given up, and begins
 * again later. The stream's next block is loaded in any case, so that every stream advances: if there is no memory for
 * that block, blocks that were loaded ahead of it are given up. For one thread, except for the turns of its items.
 */
final class Prefetch {
    /** The guess before the stream has loaded a block: a little more than a usual block. */
    private static final long FIRST_GUESS_BYTES = 2L * 1024 * 1024;

    /** A block shorter than the guess lowers it by one part in so many; a longer one raises it at once. */
    private static final int CAUTION = 8;

    /** One requested block. Its turn is asked for by the thread that loads it. */
    final class Item implements Turn {
        final int index;
        final int partBytes;
        final @Nullable BlockKey key;
        final @Nullable BlockSource originBlocks;
        final @Nullable CallRefusal refusal;
        final String resourceName;
        final BlockFilter filter;
        private @Nullable CompletableFuture<Fetched> load;
        private long charged;
        private boolean measured;
        private boolean inTurn;
        private boolean loading;
        private boolean begunInTurn;
        private boolean decided;
        private boolean alone;
        private long wantedBytes;

        Item(
                int index,
                int partBytes,
                @Nullable BlockKey key,
                @Nullable BlockSource originBlocks,
                String resourceName,
                BlockFilter filter,
                @Nullable CallRefusal refusal) {
            this.index = index;
            this.partBytes = partBytes;
            this.key = key;
            this.originBlocks = originBlocks;
            this.resourceName = resourceName;
            this.filter = filter;
            this.refusal = refusal;
        }

        private void start() {
            if (key != null && originBlocks != null && load == null) {
                begunInTurn = inTurn;
                CompletableFuture<Fetched> started = tiers.get(originBlocks, key, this);
                load = started;
                if (!started.isDone()) {
                    var _ = started.whenComplete((fetched, failure) -> wake.run());
                }
            }
        }

        /** Loads the block in any case. */
        private void begin() {
            if (!inTurn) {
                lock.lock();
                try {
                    inTurn = true;
                    loading = true;
                } finally {
                    lock.unlock();
                }
            }
            start();
            while (true) {
                decided = load != null && load.isDone();
                if (!decided || !isExhausted() || (begunInTurn && !shed())) {
                    return;
                }
                alone = begunInTurn;
                load = null;
                start();
            }
        }

        /** The load under way; null for an item that was refused. */
        @Nullable
        CompletableFuture<Fetched> load() {
            return load;
        }

        private boolean isExhausted() {
            return load != null
                    && load.state() == Future.State.FAILED
                    && load.exceptionNow() instanceof MemoryExhaustedException;
        }

        @Override
        public boolean admits(int bytes) {
            lock.lock();
            try {
                long more = bytes - charged;
                if (!loading) {
                    return false;
                }
                if (inTurn || more <= 0) {
                    return true;
                }
                if (chargedBytes + more > limitBytes || !shared.tryTake(party, more)) {
                    wantedBytes = bytes;
                    return false;
                }
                charged += more;
                chargedBytes += more;
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** Counts the block's length instead of the guess, once the length is known. */
        private void measure() {
            if (!measured
                    && load != null
                    && load.state() == Future.State.SUCCESS
                    && load.resultNow() instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
                measured = true;
                long bytes = block.memory().length();
                guessBytes = Math.max(bytes, guessBytes - guessBytes / CAUTION);
                charge(bytes);
            }
        }

        /** Charges so many bytes, however much that is. */
        private void charge(long bytes) {
            lock.lock();
            try {
                long more = bytes - charged;
                charged = bytes;
                chargedBytes += more;
                if (more > 0) {
                    shared.charge(party, more);
                } else if (more < 0) {
                    shared.giveBack(party, -more);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Charges a guess and loads, if the bounds have room for that. */
        private boolean startAhead() {
            lock.lock();
            try {
                long bytes = Math.max(guessBytes, wantedBytes);
                if (chargedBytes + bytes > limitBytes || !shared.tryTake(party, bytes)) {
                    return false;
                }
                charged = bytes;
                chargedBytes += bytes;
                loading = true;
            } finally {
                lock.unlock();
            }
            start();
            return true;
        }

        /** Counts nothing for the item any more, and lets it take no memory. */
        private void stop() {
            lock.lock();
            try {
                inTurn = false;
                loading = false;
                charge(0);
            } finally {
                lock.unlock();
            }
        }

        /** Whether the load has ended, as with a block in memory, or counts among the loads of all streams. */
        private boolean isCounted() {
            CompletableFuture<Fetched> under = load;
            if (under == null || under.isDone()) {
                return true;
            }
            if (!budget.tryTake(party, 1)) {
                return false;
            }
            var _ = under.whenComplete((_, _) -> budget.giveBack(party, 1));
            return true;
        }

        /** Forgets a load that found no room; the item may find room later. */
        private void reset() {
            load = null;
            stop();
            guessBytes = Math.max(guessBytes, wantedBytes);
        }

        /** Gives up a block that was loaded, or is being loaded; false if there is none. */
        private boolean giveUp() {
            CompletableFuture<Fetched> given = load;
            load = null;
            measured = false;
            stop();
            if (given == null) {
                return false;
            }
            given.cancel(false);
            if (!given.isCompletedExceptionally() && given.join() instanceof Fetched.FetchedBlock fetchedBlock) {
                fetchedBlock.block().release();
            }
            return true;
        }

        boolean isDecided() {
            return refusal != null || decided;
        }
    }

    private final Tiers tiers;
    private final SharedBudget shared;
    private final SharedBudget budget;
    private final Party party;
    private final long mostBytes;
    private final Runnable wake;
    private final Deque<Item> items = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private long limitBytes;
    private long chargedBytes;
    private long guessBytes = FIRST_GUESS_BYTES;

    /** The item begun without a place among the loads of all streams; no other is begun until there is one. */
    private @Nullable Item uncounted;

    /**
     * A prefetch for which nothing was asked yet.
     *
     * @param shared bytes that all streams may have loaded ahead
     * @param budget loads ahead that all streams may have under way
     * @param limitBytes bytes that this stream may have loaded ahead
     * @param wake tells that a load has ended
     */
    Prefetch(Tiers tiers, SharedBudget shared, SharedBudget budget, Party party, long limitBytes, Runnable wake) {
        this.tiers = tiers;
        this.shared = shared;
        this.budget = budget;
        this.party = party;
        this.mostBytes = limitBytes;
        this.limitBytes = limitBytes;
        this.wake = wake;
    }

    /** Loads no further ahead than an account can move. */
    void limit(AccountUsage usage) {
        lock.lock();
        try {
            limitBytes = usage.aheadBytes(mostBytes);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return items.size();
    }

    void add(
            int index,
            int partBytes,
            @Nullable BlockKey key,
            @Nullable BlockSource originBlocks,
            String resourceName,
            BlockFilter filter,
            @Nullable CallRefusal refusal) {
        items.addLast(new Item(index, partBytes, key, originBlocks, resourceName, filter, refusal));
    }

    /** The block whose turn it is, its load started, and loads of later ones as far as the bounds allow. */
    @Nullable
    Item first() {
        Item first = items.peekFirst();
        if (first != null) {
            first.begin();
            if (!first.alone || first.decided) {
                startLater();
            }
        }
        return first;
    }

    private void startLater() {
        Item waiting = uncounted;
        if (waiting != null && !waiting.isCounted()) {
            return;
        }
        uncounted = null;
        int started = 0;
        for (Iterator<Item> i = items.iterator(); i.hasNext() && started < ServiceLimits.STREAM_LOADS; started++) {
            Item item = i.next();
            item.measure();
            if (!item.inTurn && item.isExhausted()) {
                boolean waitedInVain = item.wantedBytes == 0;
                item.reset();
                if (waitedInVain) {
                    return;
                }
            }
            if (item.load != null || item.refusal != null) {
                continue;
            }
            if (!item.startAhead()) {
                return;
            }
            item.measure();
            if (!item.isCounted()) {
                uncounted = item;
                return;
            }
        }
    }

    /** Gives up blocks that were loaded before their turn; false if there were none. */
    private boolean shed() {
        boolean any = false;
        for (Item item : items) {
            if (!item.inTurn && item.giveUp()) {
                any = true;
            }
        }
        return any;
    }

    /** Ends the first item's turn. */
    void removeFirst() {
        items.removeFirst().stop();
    }

    /** Gives up everything asked for. */
    void clear() {
        for (Item item : items) {
            var _ = item.giveUp();
        }
        items.clear();
    }
}
