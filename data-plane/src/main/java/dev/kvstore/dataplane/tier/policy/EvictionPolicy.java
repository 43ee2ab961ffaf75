package dev.kvstore.dataplane.tier.policy;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which keys leave a full tier, and which keys do not enter it. {@link Kept} reports every event of the tier to
 * it, in order, and keeps the budget. Not thread-safe.
 *
 * @param <K> the name of a block
 */
public interface EvictionPolicy<K> {
    /**
     * A new policy of the kind that data planes use.
     *
     * @param nanoTime as of {@link System#nanoTime}
     */
    static <K> EvictionPolicy<K> inService(LongSupplier nanoTime) {
        return inService(nanoTime, _ -> "");
    }

    /**
     * A new policy of the kind that data planes use, for blocks with owners.
     *
     * @param ownerOf the owner of a key; not null
     */
    static <K> EvictionPolicy<K> inService(LongSupplier nanoTime, Function<K, ?> ownerOf) {
        return new HitDensity<>(nanoTime, ownerOf);
    }

    /**
     * Whether a key should be kept although others must leave for it; asked only in that case. If so, {@link #evict}
     * follows until there is room, then {@link #added}.
     *
     * @param key not kept
     * @param parent of the block before it in its prompt, kept or not; null for a prompt's first block, or if unknown
     * @param bytes that it takes, more than 0
     */
    boolean admits(K key, @Nullable K parent, long bytes);

    /**
     * Whether a key should be kept, like {@link #admits(Object, Object, long)}, where the key that leaves must be of a
     * certain owner.
     *
     * @param from the owner whose key must leave, from the owner of the key that would leave otherwise
     */
    default boolean admits(K key, @Nullable K parent, long bytes, UnaryOperator<Object> from) {
        return admits(key, parent, bytes);
    }

    /**
     * A key is kept from now on, and counts as used. The parameters are those of {@link #admits(Object, Object, long)}.
     */
    void added(K key, @Nullable K parent, long bytes);

    /** A kept key was asked for. */
    void used(K key);

    /**
     * Chooses the key that leaves next, and forgets it.
     *
     * @throws java.util.NoSuchElementException if none is kept
     */
    K evict();

    /**
     * Chooses the key that leaves next, like {@link #evict()}, where it must be of a certain owner. A policy that does
     * not know owners chooses among all keys.
     *
     * @param from the owner whose key must leave, from the owner of the key that would leave otherwise
     */
    default K evict(UnaryOperator<Object> from) {
        return evict();
    }

    /** A kept key is gone for another reason than {@link #evict()}, for example because its block no longer exists. */
    void removed(K key);

    /**
     * Every kept key, the one most worth keeping first: the reverse of the order in which they would leave, as far as
     * known.
     */
    List<K> mostWorthFirst();
}
