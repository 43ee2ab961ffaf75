package dev.kvstore.dataplane.tier.policy;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which keys leave a tier that is full, and which need not enter it. It is told of everything that happens to the
 * tier, in order, and knows no budget: {@link Kept} holds that. Not thread-safe.
 *
 * @param <K> what names a block
 */
public interface EvictionPolicy<K> {
    /**
     * A new one of the kind that data planes run.
     *
     * @param nanoTime as of {@link System#nanoTime}
     */
    static <K> EvictionPolicy<K> inService(LongSupplier nanoTime) {
        return inService(nanoTime, _ -> "");
    }

    /**
     * As above, of blocks that have owners.
     *
     * @param ownerOf by name; not null
     */
    static <K> EvictionPolicy<K> inService(LongSupplier nanoTime, Function<K, ?> ownerOf) {
        return new HitDensity<>(nanoTime, ownerOf);
    }

    /**
     * Whether a key should be kept though others have to leave for it; asked only then. If so, {@link #evict} follows until
     * there is room, then {@link #added}.
     *
     * @param key not kept
     * @param parent of the block before it in its prompt, kept or not; null for a prompt's first block, or if unknown
     * @param bytes that it takes, more than 0
     */
    boolean admits(K key, @Nullable K parent, long bytes);

    /**
     * As above, where an owner's key is to leave.
     *
     * @param from whose key leaves, given whose would
     */
    default boolean admits(K key, @Nullable K parent, long bytes, UnaryOperator<Object> from) {
        return admits(key, parent, bytes);
    }

    /** A key is kept from now on, and counts as used; the parameters are those of {@link #admits}. */
    void added(K key, @Nullable K parent, long bytes);

    /** A kept key was asked for. */
    void used(K key);

    /**
     * Chooses the key that leaves next, and takes it as gone.
     *
     * @throws java.util.NoSuchElementException if none is kept
     */
    K evict();

    /**
     * As above, where an owner's key is to leave. Who tells no owners apart chooses among all.
     *
     * @param from whose key leaves, given whose would
     */
    default K evict(UnaryOperator<Object> from) {
        return evict();
    }

    /** A kept key is gone for another reason than {@link #evict}, such as that its block exists no more. */
    void removed(K key);

    /** Every kept key, the one most worth keeping first: the reverse of the order in which they would leave, as far as known. */
    List<K> mostWorthFirst();
}
