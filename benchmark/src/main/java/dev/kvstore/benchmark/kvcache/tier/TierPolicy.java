package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.EvictionRules;
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
    private final int mostAbove;
    private final double[] limits;
    private final double[] used;
    private final long[] entryBytes;
    private final Map<String, PolicyEntry> entries = new LinkedHashMap<>();
    private final List<TreeMap<Long, PolicyEntry>> leastRecent;
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

    /** A waterfall, whose fastest tier demotes as many entries for one as the others. */
    public TierPolicy(double[] limits, EvictionRules rules) {
        this(limits, rules, Tiering.WATERFALL, Integer.MAX_VALUE);
    }

    /**
     * Tiers without entries.
     *
     * @param limits bytes of each tier, from the fastest; the last one may be infinite
     * @param mostAbove the fastest tier demotes fewer entries than that for one, besides the limits of {@code rules}
     */
    public TierPolicy(double[] limits, EvictionRules rules, Tiering tiering, int mostAbove) {
        this.rules = rules;
        this.tiering = tiering;
        this.mostAbove = mostAbove;
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
        TreeMap<Long, PolicyEntry> order = leastRecent.get(entry.tier);
        order.remove(entry.lastAccess);
        entry.lastAccess = ++clock;
        order.put(entry.lastAccess, entry);
        return entry.tier;
    }

    /**
     * Makes room for an entry, and counts it as used.
     *
     * @param steps receives the steps that have to be done first, in this order
     * @return the tier to write it to
     */
    public synchronized int reserve(long bytes, List<PolicyStep> steps) {
        int tier = 0;
        while (!takes(tier, bytes, steps)) {
            tier++;
        }
        use(tier, bytes);
        return tier;
    }

    private boolean takes(int tier, long bytes, List<PolicyStep> steps) {
        boolean last = tier == limits.length - 1;
        return (tiering == Tiering.SPILLOVER && !last)
                ? used[tier] + bytes < limits[tier] * rules.targetUsageRatio()
                : makesRoom(tier, bytes, 0, steps) || last;
    }

    /** An entry is written where {@link #reserve} said. One of that key must not be there. */
    public synchronized void commit(String key, int tier, long bytes) {
        PolicyEntry entry = new PolicyEntry(key, bytes, tier, ++clock);
        if (entries.putIfAbsent(key, entry) != null) {
            throw new IllegalStateException(key + " is there already");
        }
        enter(entry);
    }

    /** Gives back reserved bytes that will not be written. */
    public synchronized void release(int tier, long bytes) {
        use(tier, -bytes);
    }

    /** An entry is lost; nothing happens if it is not there. */
    public synchronized void forget(String key) {
        PolicyEntry entry = entries.remove(key);
        if (entry != null) {
            leave(entry);
        }
    }

    /** Whether there is room for an entry after the steps that are added; it is not counted as used yet. */
    private boolean makesRoom(int tier, long bytes, int depth, List<PolicyStep> steps) {
        boolean terminal = tier == limits.length - 1;
        double limit = limits[tier];
        if (terminal && Double.isInfinite(limit)) {
            return true;
        }
        double target = limit * rules.targetUsageRatio();
        if (depth > rules.maxRecursionDepth() || (!terminal && bytes > limit * rules.largeEntryLimitRatio())) {
            return false;
        }
        TreeMap<Long, PolicyEntry> order = leastRecent.get(tier);
        int most = Math.min(
                rules.maxEvictionsHardCap(), Math.max(rules.maxEvictionsMin(), order.size() + MORE_THAN_PRESENT));
        if (tier == 0) {
            most = Math.min(most, mostAbove);
        }
        for (int evicted = 0; evicted < most; evicted++) {
            if (used[tier] + bytes <= (terminal ? limit : target) || used[tier] < limit * NEARLY_EMPTY) {
                return true;
            }
            boolean refuses = evicted == 0
                    && !terminal
                    && entryBytes[tier] < limit * LITTLE_TO_EVICT
                    && bytes > target * LARGE_PART_OF_TARGET;
            if (order.isEmpty() || refuses) {
                break;
            }
            PolicyEntry entry = order.firstEntry().getValue();
            if (terminal) {
                entries.remove(entry.key);
                leave(entry);
                steps.add(new PolicyStep.Delete(entry.key, entry.bytes, tier));
            } else if (makesRoom(tier + 1, entry.bytes, depth + 1, steps)) {
                leave(entry);
                entry.tier++;
                enter(entry);
                use(entry.tier, entry.bytes);
                steps.add(new PolicyStep.Demote(entry.key, entry.bytes, tier, tier + 1));
            } else {
                break;
            }
        }
        // The last tier takes the entry all the same.
        return terminal;
    }

    private void enter(PolicyEntry entry) {
        leastRecent.get(entry.tier).put(entry.lastAccess, entry);
        entryBytes[entry.tier] += entry.bytes;
    }

    private void leave(PolicyEntry entry) {
        leastRecent.get(entry.tier).remove(entry.lastAccess);
        entryBytes[entry.tier] -= entry.bytes;
        use(entry.tier, -entry.bytes);
    }

    private void use(int tier, long bytes) {
        used[tier] = Math.max(0, used[tier] + bytes);
    }

    /** Bytes that a tier counts as used, with those of entries that are being written. */
    public synchronized double used(int tier) {
        return used[tier];
    }

    /** Bytes of a tier's entries. An entry that is being written does not count yet. */
    public synchronized long held(int tier) {
        return entryBytes[tier];
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
