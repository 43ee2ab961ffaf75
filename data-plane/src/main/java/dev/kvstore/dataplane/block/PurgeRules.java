package dev.kvstore.dataplane.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.purge.StorageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The purges that this data plane knows. A block on disk may be from before a purge, also after a restart. So it is
 * served only if no purge means it, or if storage was seen to have it after the purge. Thread-safe; without purges a
 * check costs a look at a field.
 */
public final class PurgeRules {
    /**
     * Most blocks of purged partitions that are remembered as seen in storage since; further ones are read from storage
     * once more.
     */
    private static final int MOST_SEEN = 100_000;

    /** Digests of places. Computing one takes a microsecond, and each block that is served needs one. */
    private static final Cache<String, ByteString> DIGESTS =
            Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();

    /**
     * All known purges at a moment.
     *
     * @param known whether these are all purges, and not only some
     */
    private record PurgeRuleSet(Map<String, PurgeRule> all, Map<ByteString, List<PurgeRule>> byPlace, boolean known) {
        static PurgeRuleSet of(Map<String, PurgeRule> all, boolean known) {
            Map<ByteString, List<PurgeRule>> byPlace = new HashMap<>();
            for (PurgeRule rule : all.values()) {
                for (ByteString place : rule.places()) {
                    byPlace.computeIfAbsent(place, _ -> new ArrayList<>()).add(rule);
                }
            }
            return new PurgeRuleSet(Map.copyOf(all), Map.copyOf(byPlace), known);
        }

        boolean any(BlockKey key, Predicate<PurgeRule> condition) {
            if (all.isEmpty()) {
                return false;
            }
            for (PurgeRule rule :
                    byPlace.getOrDefault(DIGESTS.get(key.storage().place(), StorageDigest::of), List.of())) {
                if (rule.mayMean(key) && condition.test(rule)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A block that is being copied into an account's storage from another of its storages. */
    public final class Copying implements AutoCloseable {
        private final BlockKey key;

        private Copying(BlockKey key) {
            this.key = key;
        }

        @Override
        public void close() {
            copies.remove(this);
        }
    }

    private final Set<Copying> copies = ConcurrentHashMap.newKeySet();
    private final Cache<BlockKey, Boolean> seen =
            Caffeine.newBuilder().maximumSize(MOST_SEEN).executor(Runnable::run).build();
    private volatile PurgeRuleSet state;
    private volatile long version;

    /**
     * @param known whether it is known that there are no purges; if not, no block on disk is served until
     *     {@link #learn} got all purges
     */
    public PurgeRules(boolean known) {
        this.state = PurgeRuleSet.of(Map.of(), known);
    }

    /**
     * Learns of purges. The caller then looks through the blocks that memory keeps.
     *
     * @param changed purges that are new or changed
     * @param over ids of purges that are to be forgotten
     * @param all whether all purges are known now
     */
    public synchronized void learn(Collection<PurgeRule> changed, Collection<String> over, boolean all) {
        Map<String, PurgeRule> rules = new HashMap<>(state.all());
        changed.forEach(rule -> rules.put(rule.id(), rule));
        rules.keySet().removeAll(over);
        state = PurgeRuleSet.of(rules, all || state.known());
        version = Math.max(
                version, changed.stream().mapToLong(PurgeRule::version).max().orElse(0));
        seen.invalidateAll();
    }

    /** The version of the latest known change. */
    public long version() {
        return version;
    }

    /** Whether all purges are known. */
    public boolean isKnown() {
        return state.known();
    }

    /** Whether a purge is under way. */
    public boolean isAnyRunning() {
        return state.all().values().stream().anyMatch(PurgeRule::running);
    }

    /** Number of known purges, including those that are over. */
    public int size() {
        return state.all().size();
    }

    /** Whether a block was purged after a version. */
    public boolean purgedSince(long then, BlockKey key, BlockHeader header) {
        return version != then
                && state.any(key, rule -> rule.deleted() && rule.version() > then && rule.means(key, header));
    }

    /** Whether a purge that has deleted its blocks in storage means this block. */
    public boolean isPurged(BlockKey key, BlockHeader header) {
        return state.any(key, rule -> rule.deleted() && rule.means(key, header));
    }

    /** Whether an older copy of a block may be purged, as far as its name tells. */
    public boolean isDoubtful(BlockKey key) {
        PurgeRuleSet now = state;
        return (!now.known() || now.any(key, PurgeRule::deleted)) && seen.getIfPresent(key) == null;
    }

    /** Storage has a block now, so copies that are kept from now on are not older. */
    public void seen(BlockKey key) {
        PurgeRuleSet now = state;
        if (!now.known() || now.any(key, PurgeRule::deleted)) {
            seen.put(key, Boolean.TRUE);
        }
    }

    /**
     * Must be called before a block of another region is put into storage here, and closed afterwards.
     *
     * @param read the {@link #version} when it was read there
     * @throws StorageException if a purge that is under way, or was just now, may mean the block: it would come back
     */
    public Copying copy(BlockKey key, long read) throws StorageException {
        Copying copying = new Copying(key);
        copies.add(copying);
        // The order matters: a thread that learns of a purge after this sees the copy.
        PurgeRuleSet now = state;
        if (!now.known() || now.any(key, rule -> rule.running() || rule.version() > read)) {
            copying.close();
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, "a purge may mean it, and is under way or was just now", null);
        }
        return copying;
    }

    /** Whether a block that a running purge may mean is being copied now. */
    public boolean isAnyCopied() {
        PurgeRuleSet now = state;
        return copies.stream().anyMatch(copying -> now.any(copying.key, PurgeRule::running));
    }
}
