package dev.kvstore.dataplane.tier.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps blocks within a byte budget. A policy chooses which blocks leave for new ones. Not thread-safe.
 *
 * @param <K> the name of a block
 * @param <V> the block
 */
public final class Kept<K, V> {
    /** The outcome of putting a block. */
    public enum PutEffect {
        /** The block is kept now. */
        KEPT,
        /** The block was kept already, and does not count as used again. */
        PRESENT,
        /**
         * The block is not kept: it is larger than the budget, or worth less than the blocks that would have to leave.
         */
        REFUSED
    }

    private final long budgetBytes;
    private final EvictionPolicy<K> policy;
    private final ToLongFunction<V> bytesOf;
    private final Function<K, ?> ownerOf;
    private final Owners owners;
    private final Map<K, KeptValue<V>> values = new HashMap<>();
    private long usedBytes;

    private record KeptValue<V>(V value, Owners.Owner owner) {}

    /**
     * Keeps nothing yet.
     *
     * @param budgetBytes most bytes kept; 0 keeps nothing
     * @param policy a new policy, used by this object alone
     * @param bytesOf bytes of a block, more than 0 and always the same
     */
    public Kept(long budgetBytes, EvictionPolicy<K> policy, ToLongFunction<V> bytesOf) {
        this(budgetBytes, policy, bytesOf, _ -> "", () -> 0);
    }

    /**
     * Keeps nothing yet. Owners of blocks keep an equal share of the budget while they use it.
     *
     * @param ownerOf the owner of a key, not null; the same as the policy's
     * @param nanoTime as of {@link System#nanoTime}
     */
    public Kept(
            long budgetBytes,
            EvictionPolicy<K> policy,
            ToLongFunction<V> bytesOf,
            Function<K, ?> ownerOf,
            LongSupplier nanoTime) {
        this.ownerOf = ownerOf;
        this.owners = new Owners(budgetBytes, nanoTime);
        this.budgetBytes = budgetBytes;
        this.policy = policy;
        this.bytesOf = bytesOf;
    }

    /** A block that was asked for, or null. */
    public @Nullable V use(K key) {
        KeptValue<V> kept = values.get(key);
        if (kept == null) {
            return null;
        }
        var _ = owners.used(kept.owner());
        policy.used(key);
        return kept.value();
    }

    /** A block, or null. The policy is not told. */
    public @Nullable V peek(K key) {
        KeptValue<V> kept = values.get(key);
        return kept == null ? null : kept.value();
    }

    /** Whether a block is kept. The policy is not told. */
    public boolean contains(K key) {
        return values.containsKey(key);
    }

    /**
     * Keeps a block that is not kept yet, if it fits the budget and the policy admits it.
     *
     * @param parent of the block before it in its prompt; null for a first block, or if unknown
     * @param leaving receives each block that leaves, before the new one is kept
     */
    public PutEffect put(K key, @Nullable K parent, V value, BiConsumer<K, V> leaving) {
        if (values.containsKey(key)) {
            return PutEffect.PRESENT;
        }
        long bytes = bytesOf.applyAsLong(value);
        Owners.Owner owner = owners.used(ownerOf.apply(key));
        UnaryOperator<Object> from = least -> owners.leavesOf(least, owner, bytes);
        if (bytes > budgetBytes || (usedBytes + bytes > budgetBytes && !policy.admits(key, parent, bytes, from))) {
            return PutEffect.REFUSED;
        }
        while (usedBytes + bytes > budgetBytes) {
            K victim = policy.evict(from);
            leaving.accept(victim, take(victim));
        }
        policy.added(key, parent, bytes); // if that fails, the block is not here
        values.put(key, new KeptValue<>(value, owner));
        owners.add(owner, bytes);
        usedBytes += bytes;
        return PutEffect.KEPT;
    }

    /** Removes a block; null if it was not kept. */
    public @Nullable V remove(K key) {
        if (!values.containsKey(key)) {
            return null;
        }
        policy.removed(key);
        return take(key);
    }

    /** Removes all blocks, the one most worth keeping first. */
    public SequencedMap<K, V> removeAll() {
        SequencedMap<K, V> all = new LinkedHashMap<>();
        for (K key : policy.mostWorthFirst()) {
            policy.removed(key);
            all.put(key, take(key));
        }
        return all;
    }

    /** The keys of the blocks that fulfil a condition. The policy is not told. */
    public List<K> keys(BiPredicate<K, V> condition) {
        List<K> found = new ArrayList<>();
        values.forEach((key, kept) -> {
            if (condition.test(key, kept.value())) {
                found.add(key);
            }
        });
        return found;
    }

    /** Bytes of the kept blocks, 0 to the budget. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Number of owners that keep their shares. */
    public int owners() {
        return owners.active();
    }

    /** Bytes of the owner that has the most. */
    public long mostOfOneOwner() {
        return owners.most();
    }

    private V take(K key) {
        KeptValue<V> kept = values.remove(key);
        if (kept == null) {
            throw new IllegalStateException("the policy chose what is not kept: " + key);
        }
        long bytes = bytesOf.applyAsLong(kept.value());
        usedBytes -= bytes;
        owners.add(kept.owner(), -bytes);
        return kept.value();
    }
}
