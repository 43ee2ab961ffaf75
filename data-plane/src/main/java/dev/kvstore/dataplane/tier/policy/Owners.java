package dev.kvstore.dataplane.tier.policy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts the bytes that owners have in a tier, and chooses the owner whose block leaves. One owner may have all of the
 * tier. An owner that used a block within {@link #ACTIVE_NANOS} keeps an equal share: the next block to leave is of an
 * owner that has more than its share, or has used no block for this time. Not thread-safe.
 */
final class Owners {
    /** How long an owner is active after a use: 10 minutes, some turns of a conversation. */
    static final long ACTIVE_NANOS = 600_000_000_000L;

    /** An owner, valid as long as it has blocks. */
    static final class Owner {
        private final Object key;
        private long bytes;
        private long usedNanos;

        private Owner(Object key) {
            this.key = key;
        }
    }

    private final long budgetBytes;
    private final LongSupplier nanoTime;

    /** Active owners, the one whose last use is longest ago first. */
    private final LinkedHashMap<Object, Owner> active = new LinkedHashMap<>();

    /** Owners that are not active and still have blocks. */
    private final Map<Object, Owner> idle = new HashMap<>();

    Owners(long budgetBytes, LongSupplier nanoTime) {
        this.budgetBytes = budgetBytes;
        this.nanoTime = nanoTime;
    }

    /** The owner that uses a block, from now on active. */
    Owner used(Object key) {
        Owner owner = active.get(key);
        if (owner == null) {
            owner = idle.remove(key);
        }
        return used(owner == null ? new Owner(key) : owner);
    }

    /** The owner uses a block, and is active from now on. */
    Owner used(Owner owner) {
        owner.usedNanos = nanoTime.getAsLong();
        if (active.isEmpty() || active.lastEntry().getValue() != owner) {
            var _ = idle.remove(owner.key);
            var _ = active.putLast(owner.key, owner);
        }
        retire(owner.usedNanos);
        return owner;
    }

    private void retire(long now) {
        while (!active.isEmpty() && now - active.firstEntry().getValue().usedNanos > ACTIVE_NANOS) {
            Owner owner = active.pollFirstEntry().getValue();
            if (owner.bytes > 0) {
                idle.put(owner.key, owner);
            }
        }
    }

    /** Adds bytes to an owner; removes them if negative. */
    void add(Owner owner, long bytes) {
        owner.bytes += bytes;
        if (owner.bytes == 0) {
            idle.remove(owner.key);
        }
    }

    /**
     * The owner whose block leaves.
     *
     * @param least the owner of the block that is worth least of all
     * @param comes the owner of the new block
     * @param bytes of the new block
     */
    Object leavesOf(Object least, Owner comes, long bytes) {
        if (comes.key.equals(least) || active.size() < 2) {
            return least;
        }
        long share = budgetBytes / active.size();
        Owner owner = active.get(least);
        if (owner == null || owner.bytes > share) {
            return least;
        }
        if (comes.bytes > 0 && comes.bytes + bytes > share) {
            return comes.key;
        }
        return (idle.isEmpty() ? active : idle)
                .values().stream().max(Comparator.comparingLong(of -> of.bytes)).orElse(comes).key;
    }

    /** Number of active owners, which keep their shares. */
    int active() {
        return active.size();
    }

    /** Bytes of the owner that has the most. */
    long most() {
        return Math.max(most(active), most(idle));
    }

    private static long most(Map<Object, Owner> of) {
        return of.values().stream().mapToLong(owner -> owner.bytes).max().orElse(0);
    }
}
