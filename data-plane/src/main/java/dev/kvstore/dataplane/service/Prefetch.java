package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.tier.Origin;
import dev.kvstore.dataplane.tier.Tiers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that one stream has asked for and not yet sent, loaded ahead within the stream's bound and a bound of all
 * streams. The length of a block is known only when it is loaded: until then a guess counts, then the length. The
 * stream's next block is loaded in any case, so that every stream advances. For one thread.
 */
final class Prefetch {
    /** The guess before the stream has loaded a block: a little more than a usual block. */
    private static final long FIRST_GUESS_BYTES = 2L * 1024 * 1024;

    /** A block shorter than the guess lowers it by one part in so many; a longer one raises it at once. */
    private static final int CAUTION = 8;

    /** One requested block. */
    final class Item {
        final int index;
        final int partBytes;
        final @Nullable BlockKey key;
        final @Nullable Origin origin;
        final @Nullable Refusal refusal;
        final String resourceName;
        final Writers writers;
        private @Nullable CompletableFuture<Fetched> load;
        private long charged;
        private boolean measured;

        Item(
                int index,
                int partBytes,
                @Nullable BlockKey key,
                @Nullable Origin origin,
                String resourceName,
                Writers writers,
                @Nullable Refusal refusal) {
            this.index = index;
            this.partBytes = partBytes;
            this.key = key;
            this.origin = origin;
            this.resourceName = resourceName;
            this.writers = writers;
            this.refusal = refusal;
        }

        private void start() {
            if (key != null && origin != null && load == null) {
                CompletableFuture<Fetched> started = tiers.get(origin, key);
                load = started;
                if (!started.isDone()) {
                    var _ = started.whenComplete((fetched, failure) -> wake.run());
                }
            }
        }

        /** The load under way; null for an item that was refused. */
        @Nullable
        CompletableFuture<Fetched> load() {
            return load;
        }

        /** Counts the block's length instead of the guess, once the length is known. */
        private void measure() {
            if (!measured
                    && load != null
                    && load.state() == Future.State.SUCCESS
                    && load.resultNow() instanceof Fetched.Found(StoredBlock block, boolean _)) {
                measured = true;
                long bytes = block.memory().length();
                guessBytes = Math.max(bytes, guessBytes - guessBytes / CAUTION);
                charge(bytes - charged);
            }
        }

        private void charge(long bytes) {
            charged += bytes;
            chargedBytes += bytes;
            if (bytes > 0) {
                shared.charge(party, bytes);
            } else {
                shared.giveBack(party, -bytes);
            }
        }

        boolean isDecided() {
            return refusal != null || (load != null && load.isDone());
        }
    }

    private final Tiers tiers;
    private final SharedBudget shared;
    private final Party party;
    private final long mostBytes;
    private long limitBytes;
    private final Runnable wake;
    private final Deque<Item> items = new ArrayDeque<>();
    private long chargedBytes;
    private long guessBytes = FIRST_GUESS_BYTES;

    Prefetch(Tiers tiers, SharedBudget shared, Party party, long limitBytes, Runnable wake) {
        this.tiers = tiers;
        this.shared = shared;
        this.party = party;
        this.mostBytes = limitBytes;
        this.limitBytes = limitBytes;
        this.wake = wake;
    }

    /** Loads no further ahead than an account can move. */
    void limit(Share share) {
        limitBytes = share.aheadBytes(mostBytes);
    }

    int size() {
        return items.size();
    }

    void add(
            int index,
            int partBytes,
            @Nullable BlockKey key,
            @Nullable Origin origin,
            String resourceName,
            Writers writers,
            @Nullable Refusal refusal) {
        items.addLast(new Item(index, partBytes, key, origin, resourceName, writers, refusal));
    }

    /** The block whose turn it is, its load started, and loads of later ones as far as the bounds allow. */
    @Nullable
    Item first() {
        Item first = items.peekFirst();
        if (first != null) {
            first.start();
            startLater();
        }
        return first;
    }

    private void startLater() {
        int started = 0;
        for (Iterator<Item> i = items.iterator(); i.hasNext() && started < Limits.STREAM_LOADS; started++) {
            Item item = i.next();
            item.measure();
            if (item.load != null || item.refusal != null) {
                continue;
            }
            if (chargedBytes + guessBytes > limitBytes || !shared.tryTake(party, guessBytes)) {
                return;
            }
            item.charged = guessBytes;
            chargedBytes += guessBytes;
            item.start();
            item.measure();
        }
    }

    /** Ends the first item's turn. */
    void removeFirst() {
        giveBack(items.removeFirst());
    }

    private void giveBack(Item item) {
        if (item.charged > 0) {
            shared.giveBack(party, item.charged);
            chargedBytes -= item.charged;
            item.charged = 0;
        }
    }

    /** Gives up everything asked for. */
    void clear() {
        for (Item item : items) {
            giveBack(item);
            CompletableFuture<Fetched> load = item.load;
            if (load != null) {
                load.cancel(false);
                if (!load.isCompletedExceptionally() && load.join() instanceof Fetched.Found found) {
                    found.block().release();
                }
            }
        }
        items.clear();
    }
}
