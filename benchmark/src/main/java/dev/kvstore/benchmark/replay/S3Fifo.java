package dev.kvstore.benchmark.replay;

import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * S3-FIFO (Yang and others, <i>FIFO queues are all you need for cache eviction</i>, SOSP 2023), for blocks of one size.
 * A new block passes through a small queue, a tenth of the room, and goes on to the main queue if it was used twice
 * there. A block that comes back soon after it left the small queue goes straight to the main queue, whose blocks get
 * another round for each use. It knows nothing of prompts. Not thread-safe.
 */
final class S3Fifo<K> implements EvictionPolicy<K> {
    private static final int MOST_USES = 3;
    private static final int USES_TO_STAY = 2;

    private final int capacity;

    /** Each queue: its blocks with their uses, the oldest first. */
    private final SequencedMap<K, Integer> small = new LinkedHashMap<>();

    private final SequencedMap<K, Integer> main = new LinkedHashMap<>();
    private final LinkedHashSet<K> ghosts = new LinkedHashSet<>();

    /** @param capacity in blocks, 1 or more */
    S3Fifo(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public boolean admits(K key, @Nullable K parent, long bytes) {
        return true;
    }

    @Override
    public void added(K key, @Nullable K parent, long bytes) {
        (ghosts.remove(key) ? main : small).put(key, 0);
    }

    @Override
    public void used(K key) {
        (small.containsKey(key) ? small : main).computeIfPresent(key, (_, uses) -> Math.min(MOST_USES, uses + 1));
    }

    @Override
    public K evict() {
        while (main.isEmpty() || small.size() > capacity / 10) {
            Map.Entry<K, Integer> oldest = first(small);
            if (oldest.getValue() < USES_TO_STAY) {
                ghosts.addLast(oldest.getKey());
                if (ghosts.size() > capacity - capacity / 10) {
                    ghosts.removeFirst();
                }
                return oldest.getKey();
            }
            main.put(oldest.getKey(), 0);
        }
        Map.Entry<K, Integer> oldest = first(main);
        while (oldest.getValue() > 0) {
            main.put(oldest.getKey(), oldest.getValue() - 1);
            oldest = first(main);
        }
        return oldest.getKey();
    }

    private Map.Entry<K, Integer> first(SequencedMap<K, Integer> queue) {
        Map.Entry<K, Integer> first = queue.pollFirstEntry();
        if (first == null) {
            throw new NoSuchElementException("no block is kept");
        }
        return first;
    }

    @Override
    public void removed(K key) {
        small.remove(key);
        main.remove(key);
    }

    @Override
    public List<K> mostWorthFirst() {
        List<K> leaving = new ArrayList<>(small.keySet());
        leaving.addAll(main.keySet());
        return leaving.reversed();
    }
}
