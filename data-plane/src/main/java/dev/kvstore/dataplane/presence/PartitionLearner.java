package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Learns from the presence files of one partition, and makes its snapshots: reads logs and snapshot into the
 * {@link Knowledge}, merges logs into a new snapshot, or lists the partition. Runs in the background, or while a write
 * waits. Thread-safe.
 */
final class PartitionLearner {
    /**
     * A new snapshot that found no room, or that storage did not let replace the one before, is tried again after this
     * time.
     */
    static final Duration REFUSED = Duration.ofMinutes(10);

    /** This many closed logs are merged into a new snapshot, and deleted. */
    static final int MERGE_LOGS = 16;

    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final int REBUILD_TRIES = 3;
    private static final System.Logger LOG = System.getLogger(PartitionLearner.class.getName());

    private final PresenceFiles files;
    private final SnapshotFiles snapshots;
    private final OwnLog own;
    private final boolean observing;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final PresenceMeters meters;
    private final PartitionHeap heap;

    /** The lock held while this learns from storage, or changes the snapshot there. */
    private final ReentrantLock learning = new ReentrantLock();

    private final OthersLogs logs;
    private final Knowledge knowledge;

    /** Reads the files. */
    final Background renewal;

    /** Merges logs into a new snapshot, if there are enough. */
    final Background merging;

    /** Asks whether the known snapshot is still there. */
    final Background lossCheck;

    private final Background rebuilding;
    private final Background recovery;

    /** Whether the known snapshot is gone, and nobody has made another; changes under {@link #learning}. */
    private boolean lost;

    private volatile long nextListing;
    private volatile long nextSnapshot;

    PartitionLearner(
            PresenceFiles files,
            OwnLog own,
            OthersLogs logs,
            Knowledge knowledge,
            PartitionHeap heap,
            boolean observing,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            PresenceMeters meters) {
        this.files = files;
        this.snapshots = files.snapshots(random);
        this.own = own;
        this.logs = logs;
        this.knowledge = knowledge;
        this.observing = observing;
        this.ticker = ticker;
        this.random = random;
        this.nextListing = ticker.read();
        this.nextSnapshot = nextListing;
        this.renewal = new Background(() -> succeeds(this::learn), executor, ticker);
        this.rebuilding = new Background(() -> succeedsAlone(this::rebuild), executor, ticker);
        this.merging = new Background(this::merge, executor, ticker);
        this.recovery = new Background(() -> succeedsAlone(this::recover), executor, ticker);
        this.lossCheck = new Background(() -> succeedsAlone(this::learnIfLost), executor, ticker);
        this.meters = meters;
        this.heap = heap;
    }

    /** Lists the partition in the background, unless it was listed of late. */
    void listIfDue() {
        if (ticker.read() - nextListing >= 0) {
            rebuilding.start();
        }
    }

    /** Makes this process's log good in the background, if it is gone, or has no proof and a listing is due. */
    void recoverOwnLog() {
        if (own.isLost() || (own.isUnproven() && ticker.read() - nextListing >= 0)) {
            recovery.start();
        }
    }

    /** Charges the heap that this takes, unless the files are being read: then that does it. */
    void chargeHeap() {
        if (learning.tryLock()) {
            try {
                heap.settle();
            } finally {
                learning.unlock();
            }
        }
    }

    /**
     * Makes sure, before a write, that a new partition has a snapshot. If storage has one that is not known yet, the
     * write does not wait for it.
     */
    void found() throws StorageException, MemoryExhaustedException {
        if (knowledge.view() == null && snapshots.exists()) {
            renewal.start();
            return;
        }
        learning.lock();
        try {
            foundIfNew();
        } finally {
            learning.unlock();
        }
    }

    /**
     * Puts an empty snapshot into storage if the partition is new: from then on snapshot and logs together have all
     * blocks. An older view does not tell: others may have stored blocks since, and lost their snapshot.
     */
    private void foundIfNew() throws StorageException, MemoryExhaustedException {
        View known = knowledge.view();
        if (known == null || ticker.read() - known.asOf() >= MOMENT.toNanos()) {
            learn();
            known = Objects.requireNonNull(knowledge.view());
        }
        if (known.stored() == null && known.complete()) {
            snapshots.found(random.nextLong());
            learn();
        }
    }

    private void learnIfLost() throws StorageException, MemoryExhaustedException {
        View known = knowledge.view();
        if (known != null && known.stored() != null && !snapshots.exists()) {
            learning.lock();
            try {
                learn();
            } finally {
                learning.unlock();
            }
        }
    }

    /**
     * This process's log was gone. If another process took this one for dead, that process has made a snapshot of a new
     * epoch. Else somebody deleted the log, and maybe everything else: the partition is listed. The partition is also
     * listed if blocks were stored after the log was last written: another process may have listed a container that was
     * made anew. Beats start this again until it is done.
     */
    private void recover() throws StorageException, MemoryExhaustedException {
        long before = epoch();
        OwnLog.LogMark mark = own.mark();
        learning.lock();
        try {
            learn();
        } finally {
            learning.unlock();
        }
        if (epoch() != before && !own.isUnproven()) {
            own.recovered(mark);
        } else {
            listIfDue();
        }
    }

    private long epoch() {
        View known = knowledge.view();
        return known == null ? 0 : known.snapshot().epoch();
    }

    /**
     * Reads the logs first and the snapshot last, so that a log which was merged and deleted in between is in the
     * snapshot.
     */
    private void learn() throws StorageException, MemoryExhaustedException {
        try {
            read();
        } finally {
            // This includes the heap charged for files that were read before one that could not be read.
            heap.settle();
        }
    }

    private void read() throws StorageException, MemoryExhaustedException {
        View before = knowledge.view();
        long asOf = ticker.read();
        logs.look(knowledge::stored, heap.reservation);
        String beyondLimits = logs.beyondLimits();
        SnapshotVersion<Snapshot> known = before == null ? null : before.stored();
        SnapshotVersion<Snapshot> stored = known;
        boolean damaged = false;
        boolean refused = false;
        try {
            stored = switch (snapshots.readUnless(known, heap.reservation)) {
                case Look.UnchangedSnapshot<Snapshot> _ -> known;
                case Look.None<Snapshot> _ -> null;
                case Look.Other<Snapshot>(SnapshotVersion<Snapshot> other) -> other;
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
            // Blocks of the snapshot before were left out of the recent ones here: read all logs once more. Keys that
            // no log has any more are in the snapshot, or their blocks are gone.
            lost |= stored == null && !refused;
            knowledge.doubt(new View(stored, asOf), own::keys);
            logs.forget();
            read();
            return;
        }
        if (beyondLimits == null) {
            knowledge.confirmed(ticker.read());
        }
        lost &= stored == null;
        boolean listingDue =
                !refused && (damaged || lost || logs.callForListing() || (stored == null && isInhabited()));
        boolean complete = !refused && !listingDue && !logs.hideBlocks() && !logs.areForeign();
        learnt(new View(stored, complete, asOf, logs.provenUntil(), beyondLimits != null), asOf);
        if (beyondLimits != null) {
            files.guard().warn(files.toString(), beyondLimits);
        }
        documentSeen();
        heap.settle();
        mergeWhatPilesUp();
        if (before == null) {
            meters.load().record(Duration.ofNanos(ticker.read() - asOf));
        }
        if (listingDue && !observing) {
            listIfDue();
        }
    }

    private void learnt(View latest, long asOf) {
        try {
            files.work(() -> {
                knowledge.learnt(latest);
                knowledge.expire(asOf);
            });
        } catch (UnreadableException e) {
            throw new IllegalStateException(e); // nothing is read
        }
    }

    /**
     * Starts a merge if there are more logs than one look reads. No other event would: merging normally starts when
     * this process closes a log.
     */
    private void mergeWhatPilesUp() {
        if (!observing && logs.beyondLimits() != null && logs.closed() >= MERGE_LOGS) {
            merging.start();
        }
    }

    /**
     * Writes blocks into a log of this process that were seen in storage, and that no log had although there was time.
     */
    private void documentSeen() throws StorageException {
        if (!observing) {
            List<Long> untold = knowledge.untold();
            if (!untold.isEmpty()) {
                own.tell(untold);
                knowledge.addAll(untold);
            }
        }
    }

    /**
     * Whether the partition has blocks although it has no snapshot: a process without presence stored them, or the
     * snapshot was lost.
     */
    private boolean isInhabited() throws StorageException, MemoryExhaustedException {
        return !logs.isEmpty() || own.isOpen() || files.isInhabited();
    }

    /** Keys that enter the snapshot, and the logs that have them, which are deleted afterwards. */
    private static final class LogMerge {
        private final SnapshotVersion<Snapshot> known;
        private final long[] keys;
        private final Map<String, String> logs;

        LogMerge(SnapshotVersion<Snapshot> known, long[] keys, Map<String, String> logs) {
            this.known = known;
            this.keys = keys;
            this.logs = logs;
        }
    }

    /** Merges closed logs into the snapshot. May take long; other threads can read presence meanwhile. */
    private boolean merge() {
        AtomicReference<@Nullable LogMerge> due = new AtomicReference<>();
        boolean learnt = succeeds(() -> {
            learn();
            due.set(mergeDue());
        });
        LogMerge merge = due.get();
        return merge == null ? learnt : succeedsAlone(() -> merge(merge));
    }

    /**
     * Warns that a snapshot could not be made: it finds no room, or has keys that cannot be hashes. It is tried again
     * after {@link #REFUSED}.
     */
    private void refused(UnreadableException e) {
        files.guard().warn(files.toString(), String.valueOf(e.getMessage()));
        nextSnapshot = ticker.read() + REFUSED.toNanos();
    }

    /**
     * Puts off the next snapshot if storage holds the present one: another would be in vain, and its parts would stay.
     */
    private StorageException held(StorageException e) {
        if (e.kind() == StorageException.Kind.HELD) {
            nextSnapshot = ticker.read() + REFUSED.toNanos();
        }
        return e;
    }

    private @Nullable LogMerge mergeDue() {
        View known = Objects.requireNonNull(knowledge.view());
        Map<String, String> complete = logs.complete();
        return complete.size() < MERGE_LOGS
                        || !known.complete()
                        || known.stored() == null
                        || ticker.read() - nextSnapshot < 0
                ? null
                : new LogMerge(known.stored(), knowledge.recent(), complete);
    }

    private void merge(LogMerge merge) throws StorageException, MemoryExhaustedException {
        SnapshotVersion<Snapshot> merged;
        try {
            merged = snapshots.merge(merge.known, merge.keys);
        } catch (UnreadableException e) {
            refused(e);
            return;
        } catch (StorageException e) {
            throw held(e);
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
                heap.settle();
            }
            logs.delete(merge.logs);
        } finally {
            learning.unlock();
        }
    }

    /**
     * Lists the partition and makes a new snapshot of the blocks that are really stored. Logs of dead processes are
     * deleted then. The listing takes a call for each 5,000 blocks; other threads can use presence meanwhile.
     */
    private void rebuild() throws StorageException, MemoryExhaustedException {
        long began = ticker.read();
        if (began - nextSnapshot < 0) {
            nextListing = nextSnapshot;
            return;
        }
        try {
            list();
        } catch (UnreadableException e) {
            refused(e);
        } catch (StorageException e) {
            throw held(e);
        } finally {
            // The next listing waits for as long as this one took, even if files call for it at once.
            long ended = ticker.read();
            nextListing = ended + (ended - began);
        }
    }

    private void list() throws StorageException, MemoryExhaustedException, UnreadableException {
        for (int i = 0; i < REBUILD_TRIES; i++) {
            long asOf = ticker.read();
            OwnLog.LogMark mark = own.mark();
            String etag;
            Map<String, String> over;
            learning.lock();
            try {
                logs.look(knowledge::stored, heap.reservation);
                etag = snapshots.etag();
                over = logs.listable();
            } catch (UnreadableException e) {
                return; // not written by a process of ours, so not ours to replace
            } finally {
                heap.settle();
                learning.unlock();
            }
            SnapshotVersion<Snapshot> truth = snapshots.put(etag, random.nextLong(), files::forEachBlock);
            if (truth != null) {
                believe(truth, asOf, mark, over);
                return;
            }
        }
    }

    /**
     * Takes the listing for the truth. The belief of lookups changes without a storage call in between. Logs that
     * cannot be deleted now are deleted after the next listing or merge.
     *
     * @param mark of {@link OwnLog#mark}, when the listing began
     * @param over logs whose blocks the listing has
     */
    private void believe(SnapshotVersion<Snapshot> truth, long asOf, OwnLog.LogMark mark, Map<String, String> over)
            throws StorageException, MemoryExhaustedException {
        learning.lock();
        try {
            own.listedUntil(mark);
            lost = false;
            knowledge.listed(new View(truth, asOf), own::keys);
            logs.forget();
            meters.rebuilds().increment();
            boolean _ = succeedsAlone(() -> logs.delete(over));
            learn();
        } finally {
            learning.unlock();
        }
    }

    @FunctionalInterface
    private interface PresenceWork {
        void run() throws StorageException, MemoryExhaustedException;
    }

    private boolean succeeds(PresenceWork work) {
        learning.lock();
        try {
            return succeedsAlone(work);
        } finally {
            learning.unlock();
        }
    }

    private boolean succeedsAlone(PresenceWork work) {
        try {
            work.run();
            return true;
        } catch (StorageException | MemoryExhaustedException e) {
            LOG.log(Level.WARNING, "presence of partition {0}: {1}", files, e.getMessage());
            return false;
        }
    }
}
