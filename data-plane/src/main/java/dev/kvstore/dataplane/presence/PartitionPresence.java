package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.presence.snapshot.Version;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the blocks of one partition: a snapshot, the blocks of logs that the snapshot does not
 * have, and what this process stored itself. Asks storage when it is asked, and not otherwise. Thread-safe.
 */
final class PartitionPresence {
    /** Older knowledge is renewed while it is used. */
    static final Duration FRESH = Duration.ofSeconds(10);

    /** Older knowledge is renewed before it is used. */
    static final Duration STALE = Duration.ofSeconds(20);

    /** Files beyond limits are looked at again after this: to look may cost as much as is allowed. */
    static final Duration LIMITED = Duration.ofSeconds(30);

    /** A snapshot that there was no room for is tried again after this. */
    static final Duration REFUSED = Duration.ofMinutes(10);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** Closed logs that are worth a new snapshot. */
    static final int MERGE_LOGS = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int REBUILD_TRIES = 3;
    private static final System.Logger LOG = System.getLogger(PartitionPresence.class.getName());

    private final PresenceFiles files;
    private final SnapshotFiles snapshots;
    private final OwnLog own;
    private final boolean observing;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final PresenceMeters meters;
    private final HeapLimit.Claim heap;

    /** Held while this learns from storage, or changes the snapshot there. */
    private final ReentrantLock learning = new ReentrantLock();

    private final OthersLogs logs;
    private final Knowledge knowledge = new Knowledge();
    private final ReentrantLock beating = new ReentrantLock();
    private final Background renewal;
    private final Background rebuilding;
    private final Background merging;
    private volatile long nextListing;
    private volatile long nextSnapshot;

    /**
     * Nothing known yet.
     *
     * @param observing nothing is ever written or listed: what there is to know is what others wrote
     * @param random for the names of epochs
     * @param executor runs what storage is asked behind callers' backs
     */
    PartitionPresence(
            PresenceFiles files,
            Identity self,
            boolean observing,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            PresenceMeters meters) {
        this.files = files;
        this.snapshots = files.snapshots(random);
        this.own = new OwnLog(files, self, ticker);
        this.logs = new OthersLogs(files, self, own, ticker);
        this.observing = observing;
        this.ticker = ticker;
        this.random = random;
        this.nextListing = ticker.read();
        this.nextSnapshot = nextListing;
        this.renewal = new Background(() -> succeeds(this::learn), executor, ticker);
        this.rebuilding = new Background(() -> succeedsAlone(this::rebuild), executor, ticker);
        this.merging = new Background(this::merge, executor, ticker);
        this.meters = meters;
        this.heap = files.guard().heap().claim(files.guard().account());
    }

    /**
     * Makes sure that what this knows is not older than {@link #STALE}, as far as storage lets it. While storage cannot
     * be asked, what was known last goes on being believed.
     *
     * @return whether a block that {@link #mightContain} denies is not stored; while observing, whether anything is known
     */
    boolean prepare() {
        View known = knowledge.view();
        long before = ticker.read();
        if (known != null && known.limited()) {
            if (before - known.asOf() >= LIMITED.toNanos()) {
                renewal.start();
            }
        } else if (known == null || before - known.asOf() >= STALE.toNanos()) {
            if (renewal.await(PATIENCE) == null) {
                return false;
            }
        } else if (before - known.asOf() >= (observing || known.isTrusted(before) ? FRESH : Presence.BEAT).toNanos()) {
            renewal.start();
        }
        View latest = knowledge.view();
        if (latest == null) {
            return false;
        }
        long now = ticker.read();
        meters.filterAge().record(Duration.ofNanos(Math.max(0, now - latest.asOf())));
        return observing || latest.isTrusted(now);
    }

    /** Whether {@link #prepare} does not wait, now and for a moment to come. */
    boolean isPrepared() {
        View known = knowledge.view();
        return known != null
                && ticker.read() - known.asOf() < STALE.minus(MOMENT).toNanos();
    }

    /** Whether a block may be stored. */
    boolean mightContain(long key) {
        return knowledge.mightContain(key);
    }

    /** The first block of a chain, from one on, that is not stored; the chain's size if all may be. */
    int candidates(BlockChain chain, int start) {
        return knowledge.candidates(chain, start);
    }

    /** Before a block is stored; {@link #end} must follow. */
    void begin() throws StorageException, MemoryExhaustedException {
        View known = knowledge.view();
        if (known == null || known.stored() == null) {
            learning.lock();
            try {
                found();
            } finally {
                learning.unlock();
            }
        }
        own.begin();
    }

    /** The first to store a block in a partition leaves an empty snapshot: from there on, snapshot and logs know all. */
    private void found() throws StorageException, MemoryExhaustedException {
        if (knowledge.view() == null) {
            learn();
        }
        View known = Objects.requireNonNull(knowledge.view());
        if (known.stored() == null && known.complete()) {
            snapshots.found(random.nextLong());
            learn();
        }
    }

    /** A block that began is durable. When this returns, it may be acknowledged. */
    void stored(long key) throws StorageException {
        // In this order: a block that no log could be made to say is not known here either, so that its next writer
        // tries.
        own.stored(key);
        knowledge.stored(key);
    }

    /**
     * A block that began was stored before, by whoever it was.
     *
     * @return whether others have to be told of it
     */
    boolean wasStored(long key) throws StorageException {
        boolean news = knowledge.wasStored(key);
        if (news) {
            stored(key);
        }
        return news;
    }

    /**
     * Another process says that it stored blocks. That is believed as far as asking storage about them goes, and only
     * for as long as it takes logs to say so too: nothing here is ever put into a snapshot, or proves a block.
     *
     * @return how many there was room for
     */
    int heard(Collection<Long> keys) {
        return knowledge.heard(keys, ticker.read());
    }

    /** What began is over. */
    void end() {
        own.end();
    }

    /** A block was seen in storage. It is believed at once, and in case that no log will say it, this process does. */
    void seen(long key) {
        knowledge.seen(key, !observing, ticker.read());
    }

    /** Marks the moment in which storage is asked for a block, for {@link #missing}. */
    long asked() {
        return knowledge.asked();
    }

    /**
     * A block is not in storage, whatever filters say. When that happens often, they are made anew.
     *
     * @param asked as {@link #asked} said when storage was asked
     * @return whether that counts: not if the block may have been stored since
     */
    boolean missing(long key, long asked) {
        boolean counts = knowledge.missing(key, asked);
        if (counts && !observing && knowledge.isDoubtful()) {
            rebuilding.start();
        }
        return counts;
    }

    /** Tells others what was stored here. Every 5 s while {@link #isOpen}; does nothing while the beat before is under way. */
    void beat(boolean last) throws StorageException {
        if (last) {
            beating.lock();
        } else if (!beating.tryLock()) {
            return;
        }
        try {
            if (own.beat(last)) {
                merging.start();
            }
        } finally {
            beating.unlock();
        }
        // What is written to and never asked about learns nothing.
        if (learning.tryLock()) {
            try {
                keepWithinHeap();
            } finally {
                learning.unlock();
            }
        }
    }

    /** Whether others wait for beats. */
    boolean isOpen() {
        return own.isOpen();
    }

    /** Heap this takes, about. */
    int weight() {
        return (int) Math.min(Integer.MAX_VALUE, 2048 + bytes());
    }

    private long bytes() {
        return knowledge.bytes() + logs.bytes();
    }

    /** It was let go of, and its heap is another's. Who still uses it has it charged once more, for as long as that takes. */
    void letGo() {
        boolean _ = heap.settle(0);
    }

    /** Logs first, the snapshot last: a log that is gone by then is in the snapshot. */
    private void learn() throws StorageException, MemoryExhaustedException {
        View before = knowledge.view();
        long asOf = ticker.read();
        logs.look(knowledge::told, heap);
        String beyondLimits = logs.beyondLimits();
        Version<Snapshot> known = before == null ? null : before.stored();
        Version<Snapshot> stored = known;
        boolean damaged = false;
        boolean refused = false;
        try {
            stored = switch (snapshots.readUnless(known, heap)) {
                case Look.Same<Snapshot> _ -> known;
                case Look.None<Snapshot> _ -> null;
                case Look.Other<Snapshot>(Version<Snapshot> other) -> other;
            };
        } catch (UnreadableException e) {
            refused = e.isBeyondLimits();
            damaged = !refused;
            if (refused) {
                beyondLimits = e.getMessage();
                stored = null;
            } else {
                LOG.log(Level.WARNING, "presence {0}", e.getMessage());
            }
        }
        if (stored != null && !stored.equals(known)) {
            knowledge.anyMayBeStored();
        }
        Snapshot snapshot = new View(stored, asOf).snapshot();
        if (known != null && snapshot.epoch() != known.content().epoch()) {
            // What the snapshot before had was left out of what is recent here: everything is news once more.
            knowledge.addAll(own.keys());
            logs.forget();
            knowledge.learnt(new View(stored, asOf));
            keepWithinHeap();
            learn();
            return;
        }
        boolean listingDue = !refused && (damaged || logs.callForListing() || (stored == null && isInhabited()));
        boolean complete = !refused && !listingDue && !logs.hideBlocks() && !logs.areForeign();
        forgetWhatIsIn(snapshot, asOf);
        knowledge.learnt(new View(stored, complete, asOf, logs.provenUntil(), beyondLimits != null));
        if (beyondLimits != null) {
            files.guard().warn(files.toString(), beyondLimits);
        }
        documentSeen();
        keepWithinHeap();
        mergeWhatPilesUp();
        if (before == null) {
            meters.load().record(Duration.ofNanos(ticker.read() - asOf));
        }
        if (listingDue && !observing && ticker.read() - nextListing >= 0) {
            rebuilding.start();
        }
    }

    private void forgetWhatIsIn(Snapshot snapshot, long asOf) {
        try {
            files.work(() -> knowledge.forgetWhatIsIn(snapshot, asOf));
        } catch (UnreadableException e) {
            throw new IllegalStateException(e); // nothing is read
        }
    }

    /** Gives back what is charged too much; where that is too little and more may not be had, all is forgotten. */
    private void keepWithinHeap() {
        if (!heap.settle(bytes())) {
            files.guard().warn(files.toString(), "what is known of it takes more heap than there is for presence");
            knowledge.forgetAll(own.keys(), ticker.read());
            logs.forget();
            boolean _ = heap.settle(bytes());
        }
    }

    /** While there were more logs than are looked at nobody merged them all, and nobody may close another. */
    private void mergeWhatPilesUp() {
        if (!observing && logs.beyondLimits() != null && logs.closed() >= MERGE_LOGS) {
            merging.start();
        }
    }

    /** Says of blocks that were seen in storage, and that nobody says are stored although there was time, that they are. */
    private void documentSeen() throws StorageException {
        if (!observing) {
            List<Long> untold = knowledge.untold();
            if (!untold.isEmpty()) {
                own.tell(untold);
                knowledge.addAll(untold);
            }
        }
    }

    /** Without a snapshot, what is stored here was stored by a process that knew nothing of presence, or it was lost. */
    private boolean isInhabited() throws StorageException {
        return !logs.isEmpty() || own.isOpen() || files.isDescribed();
    }

    /** Keys and the logs that have them, which are to be in the snapshot instead. */
    private static final class Merge {
        private final Version<Snapshot> known;
        private final long[] keys;
        private final Map<String, String> logs;

        Merge(Version<Snapshot> known, long[] keys, Map<String, String> logs) {
            this.known = known;
            this.keys = keys;
            this.logs = logs;
        }
    }

    /** Puts complete logs into the snapshot. May take long, and holds up nobody who learns meanwhile. */
    private boolean merge() {
        AtomicReference<@Nullable Merge> due = new AtomicReference<>();
        boolean learnt = succeeds(() -> {
            learn();
            due.set(mergeDue());
        });
        Merge merge = due.get();
        return merge == null ? learnt : succeedsAlone(() -> merge(merge));
    }

    /** A snapshot is not made: there is no room for it, or keys are none that hashes have. */
    private void refused(UnreadableException e) {
        files.guard().warn(files.toString(), String.valueOf(e.getMessage()));
        nextSnapshot = ticker.read() + REFUSED.toNanos();
    }

    private @Nullable Merge mergeDue() {
        View known = Objects.requireNonNull(knowledge.view());
        Map<String, String> complete = logs.complete();
        return complete.size() < MERGE_LOGS
                        || !known.complete()
                        || known.stored() == null
                        || ticker.read() - nextSnapshot < 0
                ? null
                : new Merge(known.stored(), knowledge.recent(), complete);
    }

    private void merge(Merge merge) throws StorageException, MemoryExhaustedException {
        Version<Snapshot> merged;
        try {
            merged = snapshots.merge(merge.known, merge.keys);
        } catch (UnreadableException e) {
            refused(e);
            return;
        }
        if (merged == null) {
            return;
        }
        learning.lock();
        try {
            View known = Objects.requireNonNull(knowledge.view());
            if (merge.known.equals(known.stored())) {
                knowledge.learnt(
                        new View(merged, known.complete(), known.asOf(), known.provenUntil(), known.limited()));
                knowledge.forgetWhatIsIn(merged.content());
            }
            logs.delete(merge.logs);
            keepWithinHeap();
        } finally {
            learning.unlock();
        }
    }

    /**
     * Makes a snapshot of the truth: lists the partition. Logs of the dead are over then. The listing takes as long as the
     * partition is large, and holds up nobody.
     */
    private void rebuild() throws StorageException, MemoryExhaustedException {
        long began = ticker.read();
        if (began - nextSnapshot < 0) {
            return;
        }
        try {
            list();
        } catch (UnreadableException e) {
            refused(e);
        } finally {
            // Files that call for another at once have it wait for as long as this one took.
            long ended = ticker.read();
            nextListing = ended + (ended - began);
        }
    }

    private void list() throws StorageException, MemoryExhaustedException, UnreadableException {
        for (int i = 0; i < REBUILD_TRIES; i++) {
            long asOf = ticker.read();
            String etag;
            Map<String, String> over;
            learning.lock();
            try {
                logs.look(knowledge::told, heap);
                etag = snapshots.etag();
                over = logs.listable();
            } catch (UnreadableException e) {
                return; // it is nothing of ours to replace
            } finally {
                learning.unlock();
            }
            Version<Snapshot> truth = snapshots.put(etag, random.nextLong(), files::forEachBlock);
            if (truth != null) {
                believe(truth, asOf, over);
                return;
            }
        }
    }

    /** @param over logs that the truth stands for */
    private void believe(Version<Snapshot> truth, long asOf, Map<String, String> over)
            throws StorageException, MemoryExhaustedException {
        learning.lock();
        try {
            knowledge.listed(own.keys());
            knowledge.learnt(new View(truth, asOf));
            meters.rebuilds().increment();
            logs.delete(over);
            logs.forget();
            learn();
        } finally {
            learning.unlock();
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws StorageException, MemoryExhaustedException;
    }

    private boolean succeeds(Work work) {
        learning.lock();
        try {
            return succeedsAlone(work);
        } finally {
            learning.unlock();
        }
    }

    private boolean succeedsAlone(Work work) {
        try {
            work.run();
            return true;
        } catch (StorageException | MemoryExhaustedException e) {
            LOG.log(Level.WARNING, "presence of partition {0}: {1}", files, e.getMessage());
            return false;
        }
    }
}
