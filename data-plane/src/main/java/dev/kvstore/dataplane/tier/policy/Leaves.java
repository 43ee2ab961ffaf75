package dev.kvstore.dataplane.tier.policy;

import java.util.ArrayList;
import java.util.List;

/** Blocks by what keeping them is worth, the least first: a binary heap that knows where each is. Not thread-safe. */
final class Leaves<K> {
    private final List<Watched<K>> heap = new ArrayList<>();

    boolean isEmpty() {
        return heap.isEmpty();
    }

    /** What is worth the least, as far as was said. */
    Watched<K> least() {
        return heap.getFirst();
    }

    /** Notes what a block is worth, be it here already or not. */
    void set(Watched<K> block, double worth) {
        if (block.leaf < 0) {
            block.worth = worth;
            heap.add(block);
            rise(block, heap.size() - 1);
        } else if (worth < block.worth) {
            block.worth = worth;
            rise(block, block.leaf);
        } else {
            block.worth = worth;
            sink(block, block.leaf);
        }
    }

    /** Takes a block out, if it is here. */
    void remove(Watched<K> block) {
        int place = block.leaf;
        if (place < 0) {
            return;
        }
        block.leaf = -1;
        Watched<K> last = heap.removeLast();
        if (last != block) {
            rise(last, place);
            sink(last, last.leaf);
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
        block.leaf = place;
    }
}
