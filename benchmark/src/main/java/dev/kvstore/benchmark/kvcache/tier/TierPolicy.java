package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.kvcache.config.EvictionRules;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where entries are, and where new ones go. The waterfall of the original as of December 2025: a new entry goes to the
 * first tier that can make room for it. A tier makes room by demoting its least recently used entries to the tier
 * below, which makes room for each of them first; the last tier deletes. Nothing is promoted. With
 * {@link Tiering#SPILLOVER} nothing is demoted either. Tiers are numbered from the fastest, 0. Thread-safe.
 */
public final class TierPolicy {
    /** Below so much of its limit a tier takes an entry whatever its size. */
    private static final double NEARLY_EMPTY = 0.05;

    /**
     * A tier with less than so much of its limit in entries does not make room for an entry over half of its target.
     */
    private static final double LITTLE_TO_EVICT = 0.2;

    private static final double LARGE_PART_OF_TARGET = 0.5;
    private static final int MORE_THAN_PRESENT = 100;

    private final EvictionRules rules;
    private final Tiering tiering;
    private final double[] limits;
    private final double[] used;
    private final long[] entryBytes;
    private final Map<String, PolicyEntry> entries = new LinkedHashMap<>();
    private final List<TreeMap<Long, PolicyEntry>> leastRecent;
    private final int mostAbove;
    private long clock;

    private static final class PolicyEntry {
        private final String key;
        private final long bytes;
        private int tier;
        private long lastAccess;

        private PolicyEntry(String key, long bytes, int tier, long lastAccess) {
            this.key = key;
            this.bytes = bytes;
            this.tier = tier;
            this.lastAccess = lastAccess;
        }
    }

    /** @param limits bytes of each tier, from the fastest; the last one may be infinite */
    public TierPolicy(double[] limits, EvictionRules rules) {
        this(limits, rules, Tiering.WATERFALL, Integer.MAX_VALUE);
    }

    /** @param limits bytes of each tier, from the fastest; the last one may be infinite */
    public TierPolicy(double[] limits, EvictionRules rules, Tiering tiering) {
        this(limits, rules, tiering, Integer.MAX_VALUE);
    }

    /**
     * Tiers without entries.
     *
     * @param limits bytes of each tier, from the fastest; the last one may be infinite
     * @param mostAbove the fastest tier demotes fewer entries than that for one, besides the limits of {@code rules}
     */
    public TierPolicy(double[] limits, EvictionRules rules, Tiering tiering, int mostAbove) {
        this.mostAbove = mostAbove;
        this.rules = rules;
        this.tiering = tiering;
        this.limits = limits.clone();
        this.used = new double[limits.length];
        this.entryBytes = new long[limits.length];
        this.leastRecent = Arrays.stream(limits)
                .mapToObj(_ -> new TreeMap<Long, PolicyEntry>())
                .toList();
    }

    /** Whether there is such an entry; it does not count as an access. */
    public synchronized boolean contains(String key) {
        return entries.containsKey(key);
    }

    /** The tier of an entry, which is the most recently used one now; null if there is none. */
    public synchronized @Nullable Integer access(String key) {
        PolicyEntry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        long before = entry.lastAccess;
        entry.lastAccess = ++clock;
        for (int tier : tiersOf(entry)) {
            leastRecent.get(tier).remove(before);
            leastRecent.get(tier).put(entry.lastAccess, entry);
        }
        return entry.tier;
    }

    /**
     * Makes room for an entry, and counts it as used.
     *
     * @param steps receives the steps that have to be done first, in this order
     * @return the tier to write it to
     */
    public synchronized int reserve(long bytes, List<PolicyStep> steps) {
        if (copies() && !makeRoom(last(), bytes, 0, steps)) {
            use(last(), bytes);
        }
        for (int tier = 0; tier < limits.length; tier++) {
            if (copies() && tier == last()) {
                return tier;
            }
            boolean spills = tiering == Tiering.SPILLOVER && tier < last();
            if (spills ? hasRoom(tier, bytes) : makeRoom(tier, bytes, 0, steps)) {
                return tier;
            }
        }
        use(last(), bytes);
        return last();
    }

    /** An entry is written where {@link #reserve} said. One of that key must not be there. */
    public synchronized void commit(String key, int tier, long bytes) {
        if (entries.containsKey(key)) {
            throw new IllegalStateException(key + " is there already");
        }
        PolicyEntry entry = new PolicyEntry(key, bytes, tier, ++clock);
        entries.put(key, entry);
        for (int each : tiersOf(entry)) {
            enter(entry, each);
        }
    }

    /** Whether the last tier has a copy of all that is in the others. */
    public boolean copies() {
        return tiering == Tiering.WRITE_THROUGH;
    }

    private int[] tiersOf(PolicyEntry entry) {
        return copies() && entry.tier < last() ? new int[] {entry.tier, last()} : new int[] {entry.tier};
    }

    private void enter(PolicyEntry entry, int tier) {
        leastRecent.get(tier).put(entry.lastAccess, entry);
        entryBytes[tier] += entry.bytes;
    }

    private void leave(PolicyEntry entry, int tier) {
        leastRecent.get(tier).remove(entry.lastAccess);
        entryBytes[tier] -= entry.bytes;
        use(tier, -entry.bytes);
    }

    /** Gives back reserved bytes that will not be written. */
    public synchronized void release(int tier, long bytes) {
        use(tier, -bytes);
        if (copies() && tier < last()) {
            use(last(), -bytes);
        }
    }

    /** An entry is lost; nothing happens if it is not there. */
    public synchronized void forget(String key) {
        PolicyEntry entry = entries.remove(key);
        if (entry != null) {
            leave(entry);
        }
    }

    private boolean hasRoom(int tier, long bytes) {
        boolean has = used[tier] + bytes < limits[tier] * rules.targetUsageRatio();
        if (has) {
            use(tier, bytes);
        }
        return has;
    }

    private boolean makeRoom(int tier, long bytes, int depth, List<PolicyStep> steps) {
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
        TreeMap<Long, PolicyEntry> order = leastRecent.get(tier);
        int most = Math.min(
                rules.maxEvictionsHardCap(), Math.max(rules.maxEvictionsMin(), order.size() + MORE_THAN_PRESENT));
        if (tier == 0) {
            most = Math.min(most, mostAbove);
        }
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
            PolicyEntry entry = order.firstEntry().getValue();
            if (terminal) {
                entries.remove(entry.key);
                leave(entry);
                steps.add(new PolicyStep.Delete(entry.key, entry.bytes, tier));
            } else if ((copies() && tier + 1 == last()) || makeRoom(tier + 1, entry.bytes, depth + 1, steps)) {
                demote(entry);
                steps.add(new PolicyStep.Demote(entry.key, entry.bytes, tier, tier + 1));
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

    private void demote(PolicyEntry entry) {
        leave(entry, entry.tier);
        entry.tier++;
        if (!copies() || entry.tier < last()) {
            enter(entry, entry.tier);
        }
    }

    private void leave(PolicyEntry entry) {
        for (int tier : tiersOf(entry)) {
            leave(entry, tier);
        }
    }

    private void use(int tier, long bytes) {
        used[tier] = Math.max(0, used[tier] + bytes);
    }

    private int last() {
        return limits.length - 1;
    }

    /** Bytes that a tier counts as used, with those of entries that are being written. */
    public synchronized double used(int tier) {
        return used[tier];
    }

    /** How many entries a tier has. */
    public synchronized int entries(int tier) {
        return leastRecent.get(tier).size();
    }

    /** Each key with its tier, in the order in which the entries were first written. */
    public synchronized void forEach(BiConsumer<String, Integer> action) {
        entries.forEach((key, entry) -> action.accept(key, entry.tier));
    }
}
