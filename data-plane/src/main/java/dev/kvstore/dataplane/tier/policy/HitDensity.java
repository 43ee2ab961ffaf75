package dev.kvstore.dataplane.tier.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps where the most uses per byte and second are to be expected, as {@link ReturnTimes} learns from what happens here. A
 * block is worthless without those before it in its prompt, so the last ones of a prompt leave first; and what is worth less
 * than all that is here does not enter. It knows some blocks that are not kept, to learn when they come back: 65,536 or twice
 * as many as are kept, whichever is more, at some 200 bytes each.
 *
 * <p>A call takes logarithmic time. Nothing walks over all blocks at once: a hand passes a few with each call, and there is
 * a lesson when it has passed all. Not thread-safe.
 */
public final class HitDensity<K> implements EvictionPolicy<K> {
    private static final int LEAST_GHOSTS = 1 << 16;

    /** How many blocks the hand passes when one comes or leaves; when one is used, a single one. */
    private static final int STEPS = 8;

    /** Lessons are no closer together than so many calls, however few blocks there are. */
    private static final int LESSON_CALLS = 2048;

    private final LongSupplier nanoTime;
    private final ReturnTimes times = new ReturnTimes();
    private final Map<K, Watched<K>> kept = new HashMap<>();
    private final LinkedHashMap<K, Watched<K>> ghosts = new LinkedHashMap<>();
    private final List<Watched<K>> all = new ArrayList<>();
    private final LeastFirst<Watched<K>> leaves = new LeastFirst<>();
    private @Nullable Watched<K> arriving;
    private int hand;
    private int calls;
    private boolean watching;
    private long nowNanos;

    /** @param nanoTime as of {@link System#nanoTime} */
    public HitDensity(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean admits(K key, @Nullable K parent, long bytes) {
        tick(STEPS);
        Watched<K> before = known(parent);
        boolean cutOff = before != null && !before.kept;
        Watched<K> block = arrived(key, before, ghosts.remove(key));
        Watched<K> least = settleLeast();
        arriving = block;
        if (!cutOff && least != before && worthOfNew(block) / bytes >= least.queued) {
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
    private Watched<K> arrived(K key, @Nullable Watched<K> before, @Nullable Watched<K> ghost) {
        if (ghost != null) {
            use(ghost);
            return ghost;
        }
        Watched<K> block = new Watched<>(key, turn(before));
        stamp(block);
        block.step = ++block.turn.blocks;
        times.grew(block.turn.number, block.turn.blocks);
        block.parent = before;
        block.place = all.size();
        all.add(block);
        return block;
    }

    /** The turn of a block behind this one, which nobody asked for so far. */
    private Turn turn(@Nullable Watched<K> before) {
        if (before == null) {
            return new Turn(1);
        }
        if (before.uses == 0) {
            return before.turn;
        }
        int number = before.turn.number + 1;
        if (before.requests() != number) {
            return new Turn(1);
        }
        // All before it belong to the conversation that goes on here.
        Turn turn = new Turn(number);
        for (Watched<K> block = before; block != null && block.turn != turn; block = block.parent) {
            block.turn = turn;
            block.step = 0;
        }
        return turn;
    }

    @Override
    public void added(K key, @Nullable K parent, long bytes) {
        Watched<K> block = arriving;
        Watched<K> before = known(parent);
        if (block == null || !block.key.equals(key)) {
            tick(STEPS);
            block = arrived(key, before, ghosts.remove(key));
        }
        arriving = null;
        block.bytes = bytes;
        block.kept = true;
        kept.put(key, block);
        block.parent = before;
        if (before != null) {
            before.children++;
            before.queued = Double.NaN;
        }
        queue(block);
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
        tick(STEPS);
        Watched<K> block = settleLeast();
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
        nowNanos = nanoTime.getAsLong();
        LeastFirst<Watched<K>> leaving = new LeastFirst<>();
        Map<Watched<K>, Integer> children = new HashMap<>();
        for (Watched<K> block : kept.values()) {
            if (block.isLeaf()) {
                leaving.add(worth(block), block);
            }
        }
        ArrayDeque<K> last = new ArrayDeque<>(kept.size());
        while (leaving.size() > 0) {
            Watched<K> block = leaving.poll();
            last.addFirst(block.key);
            Watched<K> before = block.parent;
            if (before != null && before.kept && children.merge(before, 1, Integer::sum) == before.children) {
                leaving.add(worth(before), before);
            }
        }
        return List.copyOf(last);
    }

    /** What it would be worth to keep a block that was asked for just now. */
    private double worthOfNew(Watched<K> block) {
        if (block.uses == 0) {
            return times.worthOfTurn(block.turn.number, block.turn.blocks);
        }
        // Most likely the conversation goes on: the next turn's first block will tell.
        return block.requests() == block.turn.number + 1
                ? times.worthOfTurn(block.requests(), 1)
                : times.worth(block.kind(0), 0);
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

    /** Its number is right again, if it may leave. A larger one is left to when it is its turn. */
    private void queue(Watched<K> block) {
        if (!block.isLeaf()) {
            return;
        }
        double worth = worth(block);
        if (!(worth >= block.queued)) {
            block.queued = worth;
            leaves.add(worth, block);
        }
    }

    /** What is to leave next, whose number is right. */
    private Watched<K> settleLeast() {
        while (leaves.size() > 0) {
            Watched<K> block = leaves.peek();
            double number = leaves.least();
            if (!block.isLeaf() || block.queued != number) {
                leaves.poll();
                continue;
            }
            double worth = worth(block);
            if (worth <= number) {
                return block;
            }
            leaves.poll();
            block.queued = worth;
            leaves.add(worth, block);
        }
        throw new NoSuchElementException("nothing is kept");
    }

    private void leave(Watched<K> block) {
        kept.remove(block.key);
        block.kept = false;
        block.queued = Double.NaN;
        Watched<K> before = block.parent;
        if (before != null) {
            before.children--;
            queue(before);
        }
        haunt(block);
    }

    /** It is watched from outside now; the one that has been for longest may have to go. */
    private void haunt(Watched<K> block) {
        ghosts.put(block.key, block);
        while (ghosts.size() > Math.max(LEAST_GHOSTS, 2 * kept.size())) {
            Watched<K> gone = ghosts.pollFirstEntry().getValue();
            times.givenUp(gone.kind(age(gone)), age(gone), gone.lesson);
            Watched<K> last = all.removeLast();
            if (last != gone) {
                last.place = gone.place;
                all.set(gone.place, last);
            }
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
            queue(block);
        }
        if (leaves.size() > 2 * kept.size() + LEAST_GHOSTS) {
            leaves.clear();
            kept.values().forEach(block -> {
                block.queued = Double.NaN;
                queue(block);
            });
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
