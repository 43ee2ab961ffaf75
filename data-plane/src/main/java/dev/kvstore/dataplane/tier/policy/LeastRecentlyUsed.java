package dev.kvstore.dataplane.tier.policy;

import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps every new block; the block that was not used for the longest time leaves. Constant time for each. */
public final class LeastRecentlyUsed<K> implements EvictionPolicy<K> {
    private final LinkedHashSet<K> oldestFirst = new LinkedHashSet<>();

    @Override
    public boolean admits(K key, @Nullable K parent, long bytes) {
        return true;
    }

    @Override
    public void added(K key, @Nullable K parent, long bytes) {
        oldestFirst.addLast(key);
    }

    @Override
    public void used(K key) {
        oldestFirst.addLast(key);
    }

    @Override
    public K evict() {
        return oldestFirst.removeFirst();
    }

    @Override
    public void removed(K key) {
        oldestFirst.remove(key);
    }

    @Override
    public List<K> mostWorthFirst() {
        return List.copyOf(oldestFirst.reversed());
    }
}
