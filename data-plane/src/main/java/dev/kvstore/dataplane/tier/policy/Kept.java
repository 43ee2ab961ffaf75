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
 * What is kept within a byte budget, others leaving for what comes, by a policy's choice. Not thread-safe.
 *
 * @param <K> what names a block
 * @param <V> the block
 */
public final class Kept<K, V> {
    /** What became of a block that was put. */
    public enum Put {
        /** It is kept now. */
        KEPT,
        /** It was here already, and stays as it was, no more recent than before. */
        PRESENT,
        /** It is larger than the budget, or not worth what would have to leave. */
        REFUSED
    }

    private final long budgetBytes;
    private final EvictionPolicy<K> policy;
    private final ToLongFunction<V> bytesOf;
    private final Function<K, ?> ownerOf;
    private final Owners owners;
    private final Map<K, Held<V>> values = new HashMap<>();
    private long usedBytes;

    private record Held<V>(V value, Owners.Owner owner) {}

    /**
     * Nothing yet.
     *
     * @param budgetBytes most bytes kept; 0 keeps nothing
     * @param policy a new one, told of this alone
     * @param bytesOf what a block takes, more than 0 and always the same
     */
    public Kept(long budgetBytes, EvictionPolicy<K> policy, ToLongFunction<V> bytesOf) {
        this(budgetBytes, policy, bytesOf, _ -> "", () -> 0);
    }

    /**
     * As above, of blocks that have owners, who keep their shares of the budget while they use it.
     *
     * @param ownerOf not null; the same that the policy was told
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
        Held<V> held = values.get(key);
        if (held == null) {
            return null;
        }
        var _ = owners.used(held.owner());
        policy.used(key);
        return held.value();
    }

    /** Whether a block is here; the policy does not hear of it. */
    public boolean contains(K key) {
        return values.containsKey(key);
    }

    /**
     * Keeps a block that is not here, if it fits the budget at all and the policy wants it.
     *
     * @param parent of the block before it in its prompt; null for a first block, or if unknown
     * @param leaving takes each block that leaves for it, before it is here
     */
    public Put put(K key, @Nullable K parent, V value, BiConsumer<K, V> leaving) {
        if (values.containsKey(key)) {
            return Put.PRESENT;
        }
        long bytes = bytesOf.applyAsLong(value);
        Owners.Owner owner = owners.used(ownerOf.apply(key));
        UnaryOperator<Object> from = least -> owners.leavesOf(least, owner, bytes);
        if (bytes > budgetBytes || (usedBytes + bytes > budgetBytes && !policy.admits(key, parent, bytes, from))) {
            return Put.REFUSED;
        }
        while (usedBytes + bytes > budgetBytes) {
            K victim = policy.evict(from);
            leaving.accept(victim, take(victim));
        }
        policy.added(key, parent, bytes); // if that fails, the block is not here
        values.put(key, new Held<>(value, owner));
        owners.add(owner, bytes);
        usedBytes += bytes;
        return Put.KEPT;
    }

    /** Gives a block up; null if it was not here. */
    public @Nullable V remove(K key) {
        if (!values.containsKey(key)) {
            return null;
        }
        policy.removed(key);
        return take(key);
    }

    /** Gives up every block, the one most worth keeping first. */
    public SequencedMap<K, V> removeAll() {
        SequencedMap<K, V> all = new LinkedHashMap<>();
        for (K key : policy.mostWorthFirst()) {
            policy.removed(key);
            all.put(key, take(key));
        }
        return all;
    }

    /** What is kept of which something holds; the policy does not hear of it. */
    public List<K> keys(BiPredicate<K, V> condition) {
        List<K> found = new ArrayList<>();
        values.forEach((key, held) -> {
            if (condition.test(key, held.value())) {
                found.add(key);
            }
        });
        return found;
    }

    /** Bytes of what is kept, 0 to the budget. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Owners that keep their shares. */
    public int owners() {
        return owners.active();
    }

    /** Bytes of the owner that has most. */
    public long mostOfOneOwner() {
        return owners.most();
    }

    private V take(K key) {
        Held<V> held = values.remove(key);
        if (held == null) {
            throw new IllegalStateException("the policy chose what is not kept: " + key);
        }
        long bytes = bytesOf.applyAsLong(held.value());
        usedBytes -= bytes;
        owners.add(held.owner(), -bytes);
        return held.value();
    }
}
