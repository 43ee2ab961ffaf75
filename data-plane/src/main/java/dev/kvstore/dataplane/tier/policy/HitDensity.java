package dev.kvstore.dataplane.tier.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks with the most expected uses per byte and second, as {@link ReturnTimes} learns them from the events
 * here. A block is worthless without the blocks before it in its prompt, so the last blocks of a prompt leave first. A
 * new block enters, and may be the first to leave. But a block does not enter if its parent is not kept, or if its own
 * parent would have to leave for it. The policy knows blocks that are not kept, to learn when they come back: twice as
 * many as are kept, 65,536 at least and 262,144 at most, at some 280 bytes each.
 *
 * <p>A call takes logarithmic time, but for a lesson, which takes half a millisecond: a hand passes a few blocks with
 * each call, and there is a lesson when it has passed all. Not thread-safe.
 */
public final class HitDensity<K> implements EvictionPolicy<K> {
    private static final int LEAST_GHOSTS = 1 << 16;
    private static final int MOST_GHOSTS = 1 << 18;

    /** The time within which the blocks of a prompt come, one after the other. */
    private static final long PROMPT_NANOS = 5_000_000_000L;

    /** The longest prompt, in blocks; the beginning of longer prompts counts as shared. */
    private static final int LONGEST_PROMPT = 1 << 14;

    private static final int MOST_TRIES = 64;

    /** How many blocks the hand passes when one comes or leaves; when one is used, a single one. */
    private static final int STEPS = 16;

    /** Lessons are no closer together than so many calls, however few blocks there are. */
    private static final int LESSON_CALLS = 1024;

    private final LongSupplier nanoTime;
    private final ReturnTimes times = new ReturnTimes();
    private final Map<K, Watched<K>> kept = new HashMap<>();
    private final LinkedHashMap<K, Watched<K>> ghosts = new LinkedHashMap<>();
    private final List<Watched<K>> all = new ArrayList<>();
    private final Leaves<K> leaves = new Leaves<>(Leaves.OF_ALL);

    /** The leaves of each owner that has a block which may leave. */
    private final Map<Object, Leaves<K>> leavesOf = new HashMap<>();

    private final Function<K, ?> ownerOf;
    private @Nullable Watched<K> arriving;
    private int hand;
    private int calls;
    private boolean watching;
    private long nowNanos;

    /** @param nanoTime as of {@link System#nanoTime} */
    public HitDensity(LongSupplier nanoTime) {
        this(nanoTime, _ -> "");
    }

    /**
     * A policy for blocks that have owners.
     *
     * @param nanoTime as of {@link System#nanoTime}
     * @param ownerOf not null
     */
    public HitDensity(LongSupplier nanoTime, Function<K, ?> ownerOf) {
        this.nanoTime = nanoTime;
        this.ownerOf = ownerOf;
    }

    /** Admits a block, unless the block before it was refused just now, or would leave for it. */
    @Override
    public boolean admits(K key, @Nullable K parent, long bytes) {
        return admits(key, parent, bytes, UnaryOperator.identity());
    }

    @Override
    public boolean admits(K key, @Nullable K parent, long bytes, UnaryOperator<Object> from) {
        tick(STEPS);
        Watched<K> left = arriving;
        if (left != null) {
            haunt(left);
        }
        Watched<K> before = known(parent);
        Watched<K> block = arrived(key, parent, before);
        boolean cutOff = before != null && !before.kept && age(before) < PROMPT_NANOS;
        if (!cutOff && leaving(from) != before) {
            arriving = block;
            return true;
        }
        arriving = null;
        haunt(block);
        return false;
    }

    private @Nullable Watched<K> known(@Nullable K key) {
        Watched<K> block = key == null ? null : kept.get(key);
        return block == null && key != null ? ghosts.get(key) : block;
    }

    /** A block that is not kept was asked for. */
    private Watched<K> arrived(K key, @Nullable K parent, @Nullable Watched<K> before) {
        Watched<K> ghost = ghosts.remove(key);
        if (ghost != null) {
            use(ghost);
            return ghost;
        }
        Watched<K> block = new Watched<>(key, turn(before));
        stamp(block);
        block.step = ++block.turn.blocks;
        block.parentKey = key.equals(parent) ? null : parent;
        block.parent = before;
        block.place = all.size();
        all.add(block);
        return block;
    }

    /** The turn of a block behind this one, which nobody asked for so far. */
    private ConversationTurn turn(@Nullable Watched<K> before) {
        if (before == null) {
            return new ConversationTurn(1);
        }
        if (before.uses == 0) {
            return before.turn;
        }
        int number = before.turn.number + 1;
        if (before.requests() != number) {
            return new ConversationTurn(1);
        }
        // All blocks before it belong to the conversation that goes on here.
        ConversationTurn turn = new ConversationTurn(number);
        int steps = 0;
        for (Watched<K> block = before; block != null && steps < LONGEST_PROMPT; block = block.parent, steps++) {
            block.turn = turn;
            block.step = 0;
        }
        return turn;
    }

    @Override
    public void added(K key, @Nullable K parent, long bytes) {
        Watched<K> block = arriving;
        arriving = null;
        if (block == null || !block.key.equals(key)) {
            if (block != null) {
                haunt(block);
            }
            tick(STEPS);
            block = arrived(key, parent, known(parent));
        }
        block.bytes = bytes;
        block.kept = true;
        block.owner = ownerOf.apply(key);
        kept.put(key, block);
        block.parentKey = key.equals(parent) ? null : parent;
        block.parent = null;
        link(block);
        queue(block);
    }

    /** A block may come before the one before it does, as several are fetched at a time. */
    private void link(Watched<K> block) {
        Watched<K> before = known(block.parentKey);
        block.parent = before;
        if (before != null) {
            before.children++;
            unqueue(before);
        }
    }

    @Override
    public void used(K key) {
        tick(1);
        Watched<K> block = kept.get(key);
        if (block != null) {
            use(block);
            queue(block);
        }
    }

    @Override
    public K evict() {
        return evict(UnaryOperator.identity());
    }

    @Override
    public K evict(UnaryOperator<Object> from) {
        tick(STEPS);
        Watched<K> block = leaving(from);
        leave(block);
        return block.key;
    }

    @Override
    public void removed(K key) {
        Watched<K> block = kept.get(key);
        if (block != null) {
            leave(block);
        }
    }

    @Override
    public List<K> mostWorthFirst() {
        tick(0);
        PriorityQueue<Watched<K>> leaving = new PriorityQueue<>(Comparator.comparingDouble(this::worth));
        Map<Watched<K>, Integer> left = new HashMap<>();
        SequencedSet<K> first = new LinkedHashSet<>();
        kept.values().stream().filter(Watched::isLeaf).forEach(leaving::add);
        for (Watched<K> block = leaving.poll(); block != null; block = leaving.poll()) {
            first.add(block.key);
            Watched<K> before = block.parent;
            if (before != null && before.kept && left.merge(before, 1, Integer::sum) == before.children) {
                leaving.add(before);
            }
        }
        first.addAll(kept.keySet());
        return List.copyOf(first.reversed());
    }

    private long age(Watched<K> block) {
        return nowNanos - block.usedNanos;
    }

    private double worth(Watched<K> block) {
        return times.worth(block.kind(age(block)), age(block)) / block.bytes;
    }

    private void use(Watched<K> block) {
        times.returned(block.kind(age(block)), age(block), block.lesson);
        block.uses++;
        stamp(block);
    }

    private void stamp(Watched<K> block) {
        block.usedNanos = nowNanos;
        block.lesson = times.lessons();
    }

    /** Computes the worth of a block again, if the block may leave. */
    private void queue(Watched<K> block) {
        if (block.isLeaf()) {
            block.worth = worth(block);
            leaves.settle(block);
            leavesOf.computeIfAbsent(owner(block), _ -> new Leaves<>(Leaves.OF_OWNER))
                    .settle(block);
        }
    }

    private void unqueue(Watched<K> block) {
        if (block.leaf[Leaves.OF_ALL] < 0) {
            return;
        }
        leaves.remove(block);
        Leaves<K> own = leavesOf.get(owner(block));
        if (own != null) {
            own.remove(block);
            if (own.isEmpty()) {
                leavesOf.remove(owner(block));
            }
        }
    }

    private static Object owner(Watched<?> block) {
        Object owner = block.owner;
        if (owner == null) {
            throw new IllegalStateException("a block that was never kept has no owner");
        }
        return owner;
    }

    /** The block that leaves next; of the given owner, if it has a block that may leave. */
    private Watched<K> leaving(UnaryOperator<Object> from) {
        if (leaves.isEmpty()) {
            // Blocks that are each behind the other: storage that somebody else wrote may say so.
            return kept.values().iterator().next();
        }
        Watched<K> least = settleLeast(leaves);
        Object owner = from.apply(owner(least));
        Leaves<K> own = owner.equals(least.owner) ? null : leavesOf.get(owner);
        return own == null ? least : settleLeast(own);
    }

    /** Blocks whose worth has risen since it was computed are passed over, but not without end. */
    private Watched<K> settleLeast(Leaves<K> of) {
        for (int tries = 0; ; tries++) {
            Watched<K> block = of.least();
            double known = block.worth;
            queue(block);
            if (block.worth <= known || of.least() == block || tries == MOST_TRIES) {
                return block;
            }
        }
    }

    private void leave(Watched<K> block) {
        kept.remove(block.key);
        block.kept = false;
        unqueue(block);
        Watched<K> before = block.parent;
        if (before != null) {
            before.children--;
            queue(before);
        }
        haunt(block);
    }

    /** Watches a block that is no longer kept; the block watched so for longest may have to go. */
    private void haunt(Watched<K> block) {
        ghosts.put(block.key, block);
        while (ghosts.size() > Math.clamp(2L * kept.size(), LEAST_GHOSTS, MOST_GHOSTS)) {
            Watched<K> gone = ghosts.pollFirstEntry().getValue();
            times.givenUp(gone.kind(age(gone)), age(gone), gone.lesson);
            Watched<K> last = all.removeLast();
            if (last != gone) {
                last.place = gone.place;
                all.set(gone.place, last);
            }
            gone.place = -1;
            gone.parent = null;
        }
    }

    private void tick(int steps) {
        nowNanos = nanoTime.getAsLong();
        calls++;
        for (int step = Math.min(steps, all.size()); step > 0; step--) {
            if (hand >= all.size()) {
                turnRound();
            }
            Watched<K> block = all.get(hand++);
            if (watching) {
                times.waiting(block.kind(age(block)), age(block), block.lesson);
            }
            Watched<K> before = block.parent;
            if (block.kept && block.parentKey != null && (before == null || before.place < 0)) {
                link(block);
            }
            queue(block);
        }
    }

    /** Each lap of the hand is a lesson, or is for the order alone if the last lesson was just now. */
    private void turnRound() {
        hand = 0;
        if (watching) {
            times.learn();
        }
        watching = calls >= LESSON_CALLS;
        if (watching) {
            calls = 0;
        }
    }
}
