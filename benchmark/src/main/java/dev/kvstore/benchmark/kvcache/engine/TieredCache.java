package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.policy.Step;
import dev.kvstore.benchmark.kvcache.policy.TierPolicy;
import dev.kvstore.benchmark.kvcache.tier.Blob;
import dev.kvstore.benchmark.kvcache.tier.Content;
import dev.kvstore.benchmark.kvcache.tier.DamageException;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Entries in tiers. The policy decides under a lock; bytes move outside of it, each entry's under a lock of its own. Thread-safe.
 *
 * <p>As the original counts: a hit and its bytes when it is found, before it is read, and an error is a hit that took no time. Honest:
 * bytes when they have arrived, and an error is one.
 */
public final class TieredCache {
    private static final double NANOS = 1e9;

    private final Setup setup;
    private final TierPolicy policy;
    private final AtomicReference<Ledger> ledger;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Stored> stored = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final @Nullable Semaphore allocations;

    /**
     * Where entries go.
     *
     * @param tiers from the fastest, with their places in the figures
     * @param allocations entries that are written at once; 0 for any number
     * @param trace takes a line for each; null for none
     */
    public record Setup(
            Model model,
            int tensorParallel,
            List<Place> tiers,
            int allocations,
            boolean honest,
            @Nullable IoTrace trace,
            Clock clock) {}

    /** A tier and what it is counted as. */
    public record Place(Slot slot, Tier tier) {}

    /** Why an entry is read. */
    public enum Use {
        USER,
        SYSTEM_PROMPT,
        EARLIER_TURN
    }

    /**
     * What became of a read.
     *
     * @param nanos that the tier took; 0 unless it was there
     */
    public record Access(boolean hit, long nanos) {
        private static final Access MISS = new Access(false, 0);
    }

    /** An entry's bytes, wherever they are. */
    private static final class Stored {
        private final Blob blob;
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int place;
        private boolean gone;

        private Stored(Blob blob, int place) {
            this.blob = blob;
            this.place = place;
        }
    }

    /** @param ledger of the period that runs */
    public TieredCache(Setup setup, TierPolicy policy, AtomicReference<Ledger> ledger) {
        this.setup = setup;
        this.policy = policy;
        this.ledger = ledger;
        this.allocations = setup.allocations() > 0 ? new Semaphore(setup.allocations()) : null;
    }

    /**
     * Reads an entry.
     *
     * @throws IOException if its tier cannot; never as the original counts
     */
    public Access access(String key, Use use, Scratch memory) throws IOException {
        Stored entry = find(key);
        if (entry == null) {
            now().misses.increment();
            return Access.MISS;
        }
        entry.lock.readLock().lock();
        try {
            if (entry.gone) {
                now().misses.increment();
                return Access.MISS;
            }
            return new Access(true, read(key, entry, use, memory));
        } finally {
            entry.lock.readLock().unlock();
        }
    }

    private @Nullable Stored find(String key) {
        lock.lock();
        try {
            return policy.access(key) == null ? null : stored.get(key);
        } finally {
            lock.unlock();
        }
    }

    private long read(String key, Stored entry, Use use, Scratch memory) throws IOException {
        Place place = setup.tiers().get(entry.place);
        long bytes = entry.blob.bytes();
        if (!setup.honest()) {
            count(use, bytes, place.slot());
        }
        try {
            IoTime time = place.tier().read(entry.blob, memory, check(), moved -> {
                if (setup.honest()) {
                    now().readBytes.add(moved);
                    now().tier(place.slot()).readBytes.add(moved);
                }
            });
            trace(IoTrace.Operation.READ, bytes, place.slot(), key, IoTrace.Cause.DECODE);
            if (setup.honest()) {
                count(use, 0, place.slot());
            }
            Ledger now = now();
            Ledger.TierFigures figures = now.tier(place.slot());
            figures.reads.add(time.total() / NANOS);
            if (place.slot() == Slot.STORAGE) {
                figures.deviceReads.add(time.device() / NANOS);
                figures.hostReads.add(time.host() / NANOS);
                now.storageTokens.add(bytes / ((double) setup.model().bytesPerToken() / setup.tensorParallel()));
            }
            return time.total();
        } catch (IOException e) {
            failed(e);
            return 0;
        }
    }

    private Tier.Check check() {
        return setup.honest() ? Tier.Check.STAMPS : Tier.Check.NOTHING;
    }

    private void count(Use use, long bytes, Slot slot) {
        Ledger now = now();
        now.hits.increment();
        switch (use) {
            case USER -> now.userHits.increment();
            case SYSTEM_PROMPT -> now.systemPromptHits.increment();
            case EARLIER_TURN -> now.multiTurnHits.increment();
        }
        now.decodeReads.increment();
        now.readOperations.increment();
        now.readBytes.add(bytes);
        now.tier(slot).readBytes.add(bytes);
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
        if (allocations != null) {
            allocations.acquire();
        }
        try {
            return write(key, tokens, memory);
        } catch (IOException e) {
            failed(e);
            return 0;
        } finally {
            if (allocations != null) {
                allocations.release();
            }
        }
    }

    /** Whether there is an entry; it does not count as an access. */
    public boolean contains(String key) {
        lock.lock();
        try {
            return policy.contains(key);
        } finally {
            lock.unlock();
        }
    }

    /** Deletes an entry; does nothing if it is not there. */
    public void delete(String key) throws IOException {
        Stored entry = stored.get(key);
        if (entry == null) {
            return;
        }
        entry.lock.writeLock().lock();
        try {
            if (!entry.gone) {
                forget(key, entry);
            }
        } finally {
            entry.lock.writeLock().unlock();
        }
    }

    private long write(String key, long tokens, Scratch memory) throws IOException {
        Blob blob = new Blob(
                ids.incrementAndGet(),
                Content.seed(key),
                Math.max(1, setup.model().entryBytes(tokens, setup.tensorParallel())));
        Ledger begun = now();
        begun.prefillWrites.increment();
        begun.writeOperations.increment();
        if (!setup.honest()) {
            begun.writtenBytes.add(blob.bytes());
        }
        List<Step> steps = new ArrayList<>();
        int reserved = reserve(blob.bytes(), steps);
        boolean written = false;
        try {
            for (Step step : steps) {
                perform(step, memory);
            }
            long nanos = write(blob, key, reserved, tokens, memory).total();
            if (hasCopy(reserved)) {
                nanos += write(blob, key, last(), tokens, memory).total();
            }
            written = commit(key, blob, reserved);
            return nanos;
        } finally {
            if (!written) {
                release(blob, reserved);
            }
        }
    }

    private int last() {
        return setup.tiers().size() - 1;
    }

    /** Whether an entry in this tier is in the last one too. */
    private boolean hasCopy(int place) {
        return policy.copies() && place < last();
    }

    /** Its bytes, and those of its copy. */
    private void deleteBytes(Blob blob, int place) throws IOException {
        setup.tiers().get(place).tier().delete(blob);
        if (hasCopy(place)) {
            setup.tiers().get(last()).tier().delete(blob);
        }
    }

    private int reserve(long bytes, List<Step> steps) {
        lock.lock();
        try {
            return policy.reserve(bytes, steps);
        } finally {
            lock.unlock();
        }
    }

    private IoTime write(Blob blob, String key, int reserved, long tokens, Scratch memory) throws IOException {
        Place place = setup.tiers().get(reserved);
        IoTime time = place.tier().write(blob, memory, moved -> {
            if (setup.honest()) {
                now().writtenBytes.add(moved);
                now().tier(place.slot()).writtenBytes.add(moved);
            }
        });
        trace(IoTrace.Operation.WRITE, blob.bytes(), place.slot(), key, IoTrace.Cause.PREFILL);
        Ledger now = now();
        Ledger.TierFigures figures = now.tier(place.slot());
        figures.writes.add(time.total() / NANOS);
        if (!setup.honest()) {
            figures.writtenBytes.add(blob.bytes());
        }
        if (place.slot() == Slot.STORAGE) {
            now.offloadsStorage.increment();
            figures.deviceWrites.add(time.device() / NANOS);
            figures.hostWrites.add(time.host() / NANOS);
            now.storageTokens.add((double) tokens);
        } else if (place.slot() == Slot.CPU) {
            now.offloadsCpu.increment();
        }
        return time;
    }

    /** Whether it is there now; another thread may have been faster. */
    private boolean commit(String key, Blob blob, int place) {
        lock.lock();
        try {
            if (policy.contains(key)) {
                return false;
            }
            stored.put(key, new Stored(blob, place));
            policy.commit(key, place, blob.bytes());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void release(Blob blob, int place) throws IOException {
        lock.lock();
        try {
            policy.release(place, blob.bytes());
        } finally {
            lock.unlock();
        }
        deleteBytes(blob, place);
    }

    /** Other threads may perform steps of the same entry earlier or later: an entry never goes up, nor comes back. */
    private void perform(Step step, Scratch memory) throws IOException {
        Stored entry = stored.get(step.key());
        if (entry == null) {
            return;
        }
        entry.lock.writeLock().lock();
        try {
            if (entry.gone) {
                return;
            }
            switch (step) {
                case Step.Demote demote -> demote(demote, entry, memory);
                case Step.Delete _ -> delete(step.key(), entry);
            }
        } finally {
            entry.lock.writeLock().unlock();
        }
    }

    private void demote(Step.Demote step, Stored entry, Scratch memory) throws IOException {
        if (entry.place >= step.to()) {
            return;
        }
        Place from = setup.tiers().get(entry.place);
        Place to = setup.tiers().get(step.to());
        if (policy.copies() && step.to() == last()) {
            entry.place = step.to();
            from.tier().delete(entry.blob);
            now().evictions.increment();
            return;
        }
        try {
            IoTime read = from.tier()
                    .read(
                            entry.blob,
                            memory,
                            check(),
                            moved -> now().tier(from.slot()).readBytes.add(moved));
            IoTime write = to.tier()
                    .write(
                            entry.blob,
                            memory,
                            moved -> now().tier(to.slot()).writtenBytes.add(moved));
            entry.place = step.to();
            from.tier().delete(entry.blob);
            trace(IoTrace.Operation.READ, step.bytes(), from.slot(), step.key(), IoTrace.Cause.EVICT);
            trace(IoTrace.Operation.WRITE, step.bytes(), to.slot(), step.key(), IoTrace.Cause.EVICT);
            Ledger now = now();
            now.evictions.increment();
            now.demotions.add((read.total() + write.total()) / NANOS);
            if (to.slot() == Slot.STORAGE) {
                now.offloadsStorage.increment();
                long tokens = step.bytes() / (setup.model().bytesPerToken() / setup.tensorParallel());
                now.storageTokens.add((double) tokens);
            } else if (to.slot() == Slot.CPU) {
                now.offloadsCpu.increment();
            }
        } catch (IOException e) {
            forget(step.key(), entry);
            failed(e);
        }
    }

    private void delete(String key, Stored entry) throws IOException {
        entry.gone = true;
        stored.remove(key, entry);
        now().evictions.increment();
        deleteBytes(entry.blob, entry.place);
    }

    /** An entry that could not be moved is lost. */
    private void forget(String key, Stored entry) throws IOException {
        entry.gone = true;
        lock.lock();
        try {
            if (stored.remove(key, entry)) {
                policy.forget(key);
            }
        } finally {
            lock.unlock();
        }
        deleteBytes(entry.blob, entry.place);
    }

    private void trace(IoTrace.Operation operation, long bytes, Slot slot, String key, IoTrace.Cause cause) {
        if (setup.trace() != null) {
            Instant at = setup.clock().instant();
            long micros = TimeUnit.SECONDS.toMicros(at.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(at.getNano());
            setup.trace().add(micros, operation, bytes, slot.level(), key, cause);
        }
    }

    private Ledger now() {
        return ledger.get();
    }

    /** How many entries a tier has; 0 for one that is not there. */
    public int entries(Slot slot) {
        return (int) ofPolicy(slot, policy::entries);
    }

    /** Bytes that a tier counts as used; 0 for one that is not there. */
    public double used(Slot slot) {
        return ofPolicy(slot, policy::used);
    }

    private double ofPolicy(Slot slot, IntToDoubleFunction figure) {
        lock.lock();
        try {
            for (int place = 0; place < setup.tiers().size(); place++) {
                if (setup.tiers().get(place).slot() == slot) {
                    return figure.applyAsDouble(place);
                }
            }
            return 0;
        } finally {
            lock.unlock();
        }
    }
}
