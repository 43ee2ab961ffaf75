package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.tier.DamageException;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.PolicyStep;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Entries in tiers. The policy decides; bytes move outside of its lock, each entry's under a lock of its own.
 * Thread-safe.
 *
 * <p>As the original counts: a hit and its bytes when it is found, before it is read, and an error is a hit that took
 * no time. Honest: bytes when they have arrived, and an error is one.
 */
public final class TieredCache {
    private static final double NANOS = 1e9;

    private final TierSetup setup;
    private final TierPolicy policy;
    private final AtomicReference<Ledger> ledger;
    private final Map<String, StoredEntry> stored = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Semaphore allocations;

    /**
     * Where entries go.
     *
     * @param tiers from the fastest, with their places in the figures
     * @param allocations entries that are written at once; 0 for any number
     * @param trace takes a line for each; null for none
     */
    public record TierSetup(
            Model model,
            int tensorParallel,
            List<CountedTier> tiers,
            int allocations,
            boolean honest,
            @Nullable IoTrace trace,
            Clock clock) {}

    /** A tier and its name in counts. */
    public record CountedTier(Slot slot, Tier tier) {}

    /** Why an entry is read. */
    public enum ReadPurpose {
        USER,
        SYSTEM_PROMPT,
        EARLIER_TURN
    }

    /**
     * The outcome of a read.
     *
     * @param nanos that the tier took; 0 unless it was there
     */
    public record TierAccess(boolean hit, long nanos) {
        private static final TierAccess MISS = new TierAccess(false, 0);
    }

    /** An entry's bytes, wherever they are. */
    private static final class StoredEntry {
        private final EntryBytes blob;
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int place;
        private boolean gone;

        private StoredEntry(EntryBytes blob, int place) {
            this.blob = blob;
            this.place = place;
        }
    }

    /** @param ledger of the period that runs */
    public TieredCache(TierSetup setup, TierPolicy policy, AtomicReference<Ledger> ledger) {
        this.setup = setup;
        this.policy = policy;
        this.ledger = ledger;
        this.allocations = new Semaphore(setup.allocations() > 0 ? setup.allocations() : Integer.MAX_VALUE);
    }

    private Ledger now() {
        return ledger.get();
    }

    /**
     * Reads an entry.
     *
     * @throws IOException if its tier cannot; never as the original counts
     */
    public TierAccess access(String key, ReadPurpose use, Scratch memory) throws IOException {
        StoredEntry entry = policy.access(key) == null ? null : stored.get(key);
        if (entry == null) {
            now().misses.increment();
            return TierAccess.MISS;
        }
        entry.lock.readLock().lock();
        try {
            if (entry.gone) {
                now().misses.increment();
                return TierAccess.MISS;
            }
            return new TierAccess(true, read(key, entry, use, memory));
        } finally {
            entry.lock.readLock().unlock();
        }
    }

    private long read(String key, StoredEntry entry, ReadPurpose use, Scratch memory) throws IOException {
        CountedTier place = setup.tiers().get(entry.place);
        Slot slot = place.slot();
        long bytes = entry.blob.bytes();
        if (!setup.honest()) {
            count(use);
            now().read(slot, bytes);
        }
        try {
            IoTime time = place.tier().read(entry.blob, memory, setup.honest(), moved -> {
                if (setup.honest()) {
                    now().read(slot, moved);
                }
            });
            trace("Read", bytes, slot, key, "Decode");
            if (setup.honest()) {
                count(use);
            }
            Ledger now = now();
            now.tier(slot).read(time);
            if (slot == Slot.STORAGE) {
                now.storageTokens.add(bytes / ((double) setup.model().bytesPerToken() / setup.tensorParallel()));
            }
            return time.total();
        } catch (IOException e) {
            failed(e);
            return 0;
        }
    }

    private void count(ReadPurpose use) {
        Ledger now = now();
        now.hits.increment();
        now.decodeReads.increment();
        switch (use) {
            case USER -> now.userHits.increment();
            case SYSTEM_PROMPT -> now.systemPromptHits.increment();
            case EARLIER_TURN -> now.multiTurnHits.increment();
        }
    }

    private void failed(IOException failure) throws IOException {
        if (failure instanceof DamageException) {
            now().damaged.increment();
        }
        now().errors.increment();
        if (setup.honest()) {
            throw failure;
        }
    }

    /**
     * Writes an entry, unless it is there.
     *
     * @param tokens 1 or more
     * @return nanoseconds that its tier took
     * @throws IOException if its tier cannot; never as the original counts
     */
    public long allocate(String key, long tokens, Scratch memory) throws IOException, InterruptedException {
        if (contains(key)) {
            return 0;
        }
        allocations.acquire();
        try {
            return write(key, tokens, memory);
        } catch (IOException e) {
            failed(e);
            return 0;
        } finally {
            allocations.release();
        }
    }

    /** Whether there is an entry; it does not count as an access. */
    public boolean contains(String key) {
        return policy.contains(key);
    }

    private long write(String key, long tokens, Scratch memory) throws IOException {
        EntryBytes blob = new EntryBytes(
                ids.incrementAndGet(),
                NoiseContent.seed(key),
                Math.max(setup.honest() ? 1 : 0, setup.model().entryBytes(tokens, setup.tensorParallel())));
        now().prefillWrites.increment();
        if (!setup.honest()) {
            now().writtenBytes.add(blob.bytes());
        }
        List<PolicyStep> steps = new ArrayList<>();
        int reserved = policy.reserve(blob.bytes(), steps);
        CountedTier place = setup.tiers().get(reserved);
        Slot slot = place.slot();
        boolean written = false;
        try {
            for (PolicyStep step : steps) {
                perform(step, memory);
            }
            IoTime time = place.tier().write(blob, memory, moved -> {
                if (setup.honest()) {
                    now().wrote(slot, moved);
                }
            });
            trace("Write", blob.bytes(), slot, key, "Prefill");
            now().tier(slot).wrote(time);
            if (!setup.honest()) {
                now().tier(slot).writtenBytes.add(blob.bytes());
            }
            arrived(slot, tokens);
            written = commit(key, blob, reserved);
            return time.total();
        } finally {
            if (!written) {
                policy.release(reserved, blob.bytes());
                place.tier().delete(blob);
            }
        }
    }

    /** Whether it is there now; another thread may have been faster. */
    private boolean commit(String key, EntryBytes blob, int place) {
        synchronized (policy) {
            if (policy.contains(key)) {
                return false;
            }
            stored.put(key, new StoredEntry(blob, place));
            policy.commit(key, place, blob.bytes());
            return true;
        }
    }

    /** An entry is in a tier now, written or demoted. */
    private void arrived(Slot slot, long tokens) {
        if (slot == Slot.STORAGE) {
            now().offloadsStorage.increment();
            now().storageTokens.add((double) tokens);
        } else if (slot == Slot.CPU) {
            now().offloadsCpu.increment();
        }
    }

    private interface EntryChange {
        void make(StoredEntry entry) throws IOException;
    }

    /** Changes an entry while nobody reads it; does nothing if it is not there. */
    private void change(String key, EntryChange change) throws IOException {
        StoredEntry entry = stored.get(key);
        if (entry == null) {
            return;
        }
        entry.lock.writeLock().lock();
        try {
            if (!entry.gone) {
                change.make(entry);
            }
        } finally {
            entry.lock.writeLock().unlock();
        }
    }

    /** Deletes an entry; does nothing if it is not there. */
    public void delete(String key) throws IOException {
        change(key, entry -> forget(key, entry));
    }

    /** Other threads may perform steps of the same entry earlier or later: an entry never goes up, nor comes back. */
    private void perform(PolicyStep step, Scratch memory) throws IOException {
        change(step.key(), entry -> {
            switch (step) {
                case PolicyStep.Demote demote -> demote(demote, entry, memory);
                case PolicyStep.Delete _ -> {
                    now().evictions.increment();
                    remove(step.key(), entry);
                }
            }
        });
    }

    private void demote(PolicyStep.Demote step, StoredEntry entry, Scratch memory) throws IOException {
        if (entry.place >= step.to()) {
            return;
        }
        CountedTier from = setup.tiers().get(entry.place);
        CountedTier to = setup.tiers().get(step.to());
        try {
            IoTime read = from.tier()
                    .read(
                            entry.blob,
                            memory,
                            setup.honest(),
                            moved -> now().tier(from.slot()).readBytes.add(moved));
            IoTime write = to.tier()
                    .write(
                            entry.blob,
                            memory,
                            moved -> now().tier(to.slot()).writtenBytes.add(moved));
            entry.place = step.to();
            from.tier().delete(entry.blob);
            trace("Read", step.bytes(), from.slot(), step.key(), "Evict");
            trace("Write", step.bytes(), to.slot(), step.key(), "Evict");
            now().evictions.increment();
            now().demotions.add((read.total() + write.total()) / NANOS);
            arrived(to.slot(), step.bytes() / (setup.model().bytesPerToken() / setup.tensorParallel()));
        } catch (IOException e) {
            // An entry that could not be moved is lost.
            forget(step.key(), entry);
            failed(e);
        }
    }

    private void forget(String key, StoredEntry entry) throws IOException {
        synchronized (policy) {
            if (stored.get(key) == entry) {
                policy.forget(key);
            }
        }
        remove(key, entry);
    }

    private void remove(String key, StoredEntry entry) throws IOException {
        entry.gone = true;
        stored.remove(key, entry);
        setup.tiers().get(entry.place).tier().delete(entry.blob);
    }

    private void trace(String operation, long bytes, Slot slot, String key, String phase) {
        if (setup.trace() != null) {
            int tier = List.of(Slot.values()).indexOf(slot);
            setup.trace().add(setup.clock().instant(), operation, bytes, tier, key, phase);
        }
    }

    /** How many entries a tier has; 0 for one that is not there. */
    public int entries(Slot slot) {
        return (int) ofPolicy(slot, policy::entries);
    }

    /** Bytes that a tier counts as used, with those of entries that are being written; 0 for one that is not there. */
    public double used(Slot slot) {
        return ofPolicy(slot, policy::used);
    }

    /** Bytes of the entries of a tier; 0 for one that is not there. */
    public double held(Slot slot) {
        return ofPolicy(slot, policy::held);
    }

    private double ofPolicy(Slot slot, IntToDoubleFunction figure) {
        return IntStream.range(0, setup.tiers().size())
                .filter(place -> setup.tiers().get(place).slot() == slot)
                .mapToDouble(figure)
                .sum();
    }
}
