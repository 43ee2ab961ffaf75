package dev.kvstore.benchmark.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * W-TinyLFU (Einziger, Friedman and Manes, <i>TinyLFU: a highly efficient cache admission policy</i>, TOS 2017), for
 * blocks of one size: a cache of Caffeine decides. It knows nothing of prompts. Not thread-safe.
 */
final class WindowTinyLfu<K> implements EvictionPolicy<K> {
    private final Queue<K> leaving = new ArrayDeque<>();
    private final Cache<K, K> cache;

    /** @param capacity in blocks, 1 or more */
    WindowTinyLfu(int capacity) {
        cache = Caffeine.newBuilder()
                .maximumSize(capacity)
                .executor(Runnable::run)
                .evictionListener((@Nullable K key, @Nullable K _, RemovalCause _) -> {
                    if (key != null) {
                        leaving.add(key);
                    }
                })
                .build();
    }

    /** The cache takes the block, and another one leaves it or this one does. */
    @Override
    public boolean admits(K key, @Nullable K parent, long bytes) {
        added(key, parent, bytes);
        return !leaving.remove(key);
    }

    @Override
    public void added(K key, @Nullable K parent, long bytes) {
        if (!cache.asMap().containsKey(key)) {
            cache.put(key, key);
            cache.cleanUp();
        }
    }

    @Override
    public void used(K key) {
        var _ = cache.getIfPresent(key);
        cache.cleanUp();
    }

    @Override
    public K evict() {
        return leaving.remove();
    }

    @Override
    public void removed(K key) {
        cache.invalidate(key);
    }

    @Override
    public List<K> mostWorthFirst() {
        return List.copyOf(cache.policy()
                .eviction()
                .orElseThrow()
                .hottest(Integer.MAX_VALUE)
                .keySet());
    }
}
