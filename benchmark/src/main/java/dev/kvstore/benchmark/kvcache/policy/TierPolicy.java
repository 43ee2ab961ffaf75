package dev.kvstore.benchmark.kvcache.policy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The waterfall of the original as of December 2025: a new entry goes to the first tier that can make room for it. A tier makes room
 * by demoting its least recently used entries to the tier below, which makes room for each of them first; the last tier deletes.
 * Nothing is promoted. Tiers are numbered from the fastest, 0. For one thread at a time.
 */
public final class TierPolicy {
    /** Below so much of its limit a tier takes an entry whatever its size. */
    private static final double NEARLY_EMPTY = 0.05;

    /** A tier with less than so much of its limit in entries does not make room for an entry over half of its target. */
    private static final double LITTLE_TO_EVICT = 0.2;

    private static final double LARGE_PART_OF_TARGET = 0.5;
    private static final int MORE_THAN_PRESENT = 100;

    private final EvictionRules rules;
    private final double[] limits;
    private final double[] used;
    private final long[] entryBytes;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<TreeMap<Long, Entry>> leastRecent;
    private long clock;

    private static final class Entry {
        private final String key;
        private final long bytes;
        private int tier;
        private long lastAccess;

        private Entry(String key, long bytes, int tier, long lastAccess) {
            this.key = key;
            this.bytes = bytes;
            this.tier = tier;
            this.lastAccess = lastAccess;
        }
    }

    /** @param limits bytes of each tier, from the fastest; the last one may be infinite */
    public TierPolicy(double[] limits, EvictionRules rules) {
        this.rules = rules;
        this.limits = limits.clone();
        this.used = new double[limits.length];
        this.entryBytes = new long[limits.length];
        this.leastRecent =
                Arrays.stream(limits).mapToObj(_ -> new TreeMap<Long, Entry>()).toList();
    }

    /** Whether there is such an entry; it does not count as an access. */
    public boolean contains(String key) {
        return entries.containsKey(key);
    }

    /** The tier of an entry, which is the most recently used one now; null if there is none. */
    public @Nullable Integer access(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        leastRecent.get(entry.tier).remove(entry.lastAccess);
        entry.lastAccess = ++clock;
        leastRecent.get(entry.tier).put(entry.lastAccess, entry);
        return entry.tier;
    }

    /**
     * Makes room for an entry, and counts it as used.
     *
     * @param steps takes what has to be done first, in this order
     * @return the tier to write it to
     */
    public int reserve(long bytes, List<Step> steps) {
        for (int tier = 0; tier < limits.length; tier++) {
            if (makeRoom(tier, bytes, 0, steps)) {
                return tier;
            }
        }
        use(last(), bytes);
        return last();
    }

    /** An entry is written where {@link #reserve} said. One of that key must not be there. */
    public void commit(String key, int tier, long bytes) {
        if (entries.containsKey(key)) {
            throw new IllegalStateException(key + " is there already");
        }
        Entry entry = new Entry(key, bytes, tier, ++clock);
        entries.put(key, entry);
        leastRecent.get(tier).put(entry.lastAccess, entry);
        entryBytes[tier] += bytes;
    }

    /** What was reserved will not be written. */
    public void release(int tier, long bytes) {
        use(tier, -bytes);
    }

    /** An entry is lost; nothing happens if it is not there. */
    public void forget(String key) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            leave(entry);
        }
    }

    private boolean makeRoom(int tier, long bytes, int depth, List<Step> steps) {
        boolean terminal = tier == last();
        double limit = limits[tier];
        if (terminal && Double.isInfinite(limit)) {
            use(tier, bytes);
            return true;
        }
        if (depth > rules.maxRecursionDepth()) {
            return false;
        }
        double target = limit * rules.targetUsageRatio();
        if (!terminal && bytes > limit * rules.largeEntryLimitRatio()) {
            return false;
        }
        double goal = terminal ? limit : target;
        TreeMap<Long, Entry> order = leastRecent.get(tier);
        int most = Math.min(
                rules.maxEvictionsHardCap(), Math.max(rules.maxEvictionsMin(), order.size() + MORE_THAN_PRESENT));
        for (int evicted = 0; evicted < most; evicted++) {
            if (used[tier] + bytes <= goal || used[tier] < limit * NEARLY_EMPTY) {
                use(tier, bytes);
                return true;
            }
            if (order.isEmpty()) {
                return takeEmpty(tier, bytes);
            }
            if (evicted == 0
                    && !terminal
                    && entryBytes[tier] < limit * LITTLE_TO_EVICT
                    && bytes > target * LARGE_PART_OF_TARGET) {
                return false;
            }
            Entry entry = order.firstEntry().getValue();
            if (terminal) {
                entries.remove(entry.key);
                leave(entry);
                steps.add(new Step.Delete(entry.key, entry.bytes, tier));
            } else if (makeRoom(tier + 1, entry.bytes, depth + 1, steps)) {
                demote(entry);
                steps.add(new Step.Demote(entry.key, entry.bytes, tier, tier + 1));
            } else {
                return false;
            }
        }
        if (terminal) {
            use(tier, bytes);
        }
        return terminal;
    }

    /** Nothing can leave it. The last tier takes the entry all the same. */
    private boolean takeEmpty(int tier, long bytes) {
        if (tier == last()) {
            use(tier, bytes);
        }
        return tier == last();
    }

    private void demote(Entry entry) {
        leave(entry);
        entry.tier++;
        leastRecent.get(entry.tier).put(entry.lastAccess, entry);
        entryBytes[entry.tier] += entry.bytes;
    }

    private void leave(Entry entry) {
        leastRecent.get(entry.tier).remove(entry.lastAccess);
        entryBytes[entry.tier] -= entry.bytes;
        use(entry.tier, -entry.bytes);
    }

    private void use(int tier, long bytes) {
        used[tier] = Math.max(0, used[tier] + bytes);
    }

    private int last() {
        return limits.length - 1;
    }

    /** Bytes that a tier counts as used, with those of entries that are being written. */
    public double used(int tier) {
        return used[tier];
    }

    /** How many entries a tier has. */
    public int entries(int tier) {
        return leastRecent.get(tier).size();
    }

    /** Bytes of a tier's entries. */
    public long entryBytes(int tier) {
        return entryBytes[tier];
    }

    /** Each key with its tier, in the order in which the entries were first written. */
    public void forEach(BiConsumer<String, Integer> action) {
        entries.forEach((key, entry) -> action.accept(key, entry.tier));
    }
}
