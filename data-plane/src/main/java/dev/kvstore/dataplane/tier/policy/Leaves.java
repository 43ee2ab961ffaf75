package dev.kvstore.dataplane.tier.policy;

import java.util.ArrayList;
import java.util.List;

/** Blocks by the worth of keeping them, the least first: a binary heap that knows where each is. Not thread-safe. */
final class Leaves<K> {
    /** A block is in two heaps at a time, each of which has its own index for the block. */
    static final int OF_ALL = 0;

    static final int OF_OWNER = 1;

    private final int which;
    private final List<Watched<K>> heap = new ArrayList<>();

    /** @param which {@link #OF_ALL} or {@link #OF_OWNER} */
    Leaves(int which) {
        this.which = which;
    }

    boolean isEmpty() {
        return heap.isEmpty();
    }

    /** The block with the least worth, as of the last {@link #settle}. */
    Watched<K> least() {
        return heap.getFirst();
    }

    /** The worth of a block may have changed, or the block is new here. */
    void settle(Watched<K> block) {
        int place = block.leaf[which];
        if (place < 0) {
            heap.add(block);
            rise(block, heap.size() - 1);
        } else {
            rise(block, place);
            sink(block, block.leaf[which]);
        }
    }

    /** Takes a block out, if it is here. */
    void remove(Watched<K> block) {
        int place = block.leaf[which];
        if (place < 0) {
            return;
        }
        block.leaf[which] = -1;
        Watched<K> last = heap.removeLast();
        if (last != block) {
            rise(last, place);
            sink(last, last.leaf[which]);
        }
    }

    private void rise(Watched<K> block, int from) {
        int place = from;
        while (place > 0 && heap.get((place - 1) / 2).worth > block.worth) {
            put(heap.get((place - 1) / 2), place);
            place = (place - 1) / 2;
        }
        put(block, place);
    }

    private void sink(Watched<K> block, int from) {
        int place = from;
        for (int child = 2 * place + 1; child < heap.size(); child = 2 * place + 1) {
            if (child + 1 < heap.size() && heap.get(child + 1).worth < heap.get(child).worth) {
                child++;
            }
            if (heap.get(child).worth >= block.worth) {
                break;
            }
            put(heap.get(child), place);
            place = child;
        }
        put(block, place);
    }

    private void put(Watched<K> block, int place) {
        heap.set(place, block);
        block.leaf[which] = place;
    }
}
