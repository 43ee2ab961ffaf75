package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
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
 * This process' knowledge of the blocks of one partition: the snapshot, the blocks of logs that the snapshot lacks, and
 * the blocks that this process stored itself. It reads storage only when a caller asks about the partition:
 * {@link #prepare} says from which age on. It writes storage for its own blocks: before the first one its log (and an
 * empty snapshot, if there is none), then the log every 5 s ({@link #beat}), and new snapshots, by merging logs or by
 * listing the partition. Thread-safe.
 */
public final class PartitionPresence {
    /** Knowledge older than this is renewed in the background, while callers go on using it. */
    static final Duration FRESH = Duration.ofSeconds(10);

    /** Knowledge older than this is renewed before a caller uses it. */
    public static final Duration STALE = Duration.ofSeconds(20);

    /**
     * Older knowledge denies no block while storage answers: a block of a living process must become visible within
     * 30 s, and its log may be 5 s late.
     */
    static final Duration OUTDATED = Duration.ofSeconds(30).minus(Presence.BEAT);

    /**
     * Files beyond limits are read again no sooner than this, since reading them may cost as much as the limits allow.
     */
    static final Duration LIMITED = Duration.ofSeconds(30);

    /**
     * A new snapshot that found no room, or that storage did not let replace the one before, is tried again after this
     * time.
     */
    static final Duration REFUSED = Duration.ofMinutes(10);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** This many closed logs are merged into a new snapshot, and deleted. */
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
    private final HeapLimit.HeapReservation heap;

    /** The lock held while this learns from storage, or changes the snapshot there. */
    private final ReentrantLock learning = new ReentrantLock();

    private final OthersLogs logs;
    private final Knowledge knowledge;
    private final ReentrantLock beating = new ReentrantLock();
    private final Background renewal;
    private final Background rebuilding;
    private final Background merging;
    private final Background recovery;
    private final Background lossCheck;

    /** Whether the known snapshot is gone, and nobody has made another; changes under {@link #learning}. */
    private boolean lost;

    private volatile long nextListing;
    private volatile long nextSnapshot;

    /**
     * The presence of a partition of which nothing is known yet.
     *
     * @param observing whether this process only reads: then it writes nothing for this partition and never lists it,
     *     since the partition belongs to another region
     * @param random for the names of epochs
     * @param executor runs the calls to storage that no caller waits for
     */
    PartitionPresence(
            PresenceFiles files,
            LogWriter writer,
            boolean observing,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            PresenceMeters meters) {
        this.files = files;
        this.snapshots = files.snapshots(random);
        this.own = new OwnLog(files, writer, ticker);
        this.logs = new OthersLogs(files, writer, own, ticker);
        this.knowledge = new Knowledge(observing);
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
        this.heap = files.guard().heap().claim(files.guard().account());
    }

    /**
     * Makes sure that knowledge is not older than {@link #STALE}: waits up to 1 s for storage if it is, and renews it
     * in the background from {@link #FRESH} on. If storage answers with an error, the older knowledge stays in use
     * until it is {@link #OUTDATED}. If storage does not answer within 1 s, this call answers false.
     *
     * @return true if a block that {@link #mightContain} denies is certainly not stored; false if the caller must ask
     *     storage about each block. For an observed partition, which another region writes, true says only that
     *     something is known of it
     */
    public boolean prepare() {
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
        return observing || (latest.isTrusted(now) && now - latest.asOf() < OUTDATED.toNanos());
    }

    /** Whether {@link #prepare} answers false for no other reason than that the files could not be read lately. */
    boolean isOutdated() {
        View known = knowledge.view();
        long now = ticker.read();
        return known != null && known.isTrusted(now) && now - known.asOf() >= OUTDATED.toNanos();
    }

    /** Whether {@link #prepare} would answer without waiting, now and for the next second. */
    boolean isPrepared() {
        View known = knowledge.view();
        return known != null
                && ticker.read() - known.asOf() < STALE.minus(MOMENT).toNanos();
    }

    /** Whether a block may be stored; false if it certainly is not. */
    public boolean mightContain(long key) {
        return knowledge.mightContain(key, ticker.read());
    }

    /**
     * Whether a log or the snapshot has a block of storage, or the log of this process will have it in time. If so,
     * beats find out whether that stays so.
     */
    boolean isLogged(long key) {
        return own.isProven() && !knowledge.wasStored(key, ticker.read());
    }

    /**
     * Index of the first block of a chain, from index {@code start} on, that is certainly not stored; the chain's size
     * if all of them may be stored.
     */
    int candidates(BlockChain chain, int start) {
        return knowledge.candidates(chain, start, ticker.read());
    }

    /**
     * Must be called before a block is stored, and {@link #end} after. Opens this process's log in storage if it is not
     * open. A log that is opened may lie in a container that was made anew: one call, for which nobody waits, asks
     * whether the snapshot is still there.
     */
    void begin() throws StorageException, MemoryExhaustedException {
        View known = knowledge.view();
        if (known == null && snapshots.exists()) {
            // The write does not wait for the files to be read.
            renewal.start();
        } else if (known == null || known.stored() == null) {
            learning.lock();
            try {
                found();
            } finally {
                learning.unlock();
            }
        }
        boolean opens = !own.isOpen();
        own.begin();
        if (opens && known != null && known.stored() != null) {
            lossCheck.start();
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
        } else if (ticker.read() - nextListing >= 0) {
            rebuilding.start();
        }
    }

    private long epoch() {
        View known = knowledge.view();
        return known == null ? 0 : known.snapshot().epoch();
    }

    /**
     * Puts an empty snapshot into storage if the partition is new: from then on snapshot and logs together have all
     * blocks. An older view does not tell: others may have stored blocks since, and lost their snapshot.
     */
    private void found() throws StorageException, MemoryExhaustedException {
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

    /** A block for which {@link #begin} was called is durable. When this returns, the block may be acknowledged. */
    void stored(long key) throws StorageException {
        knowledge.stored(key);
        own.stored(key);
        knowledge.logged(key);
    }

    /**
     * A block for which {@link #begin} was called may be durable: nobody knows. Has no effect while so many blocks wait
     * for the log that storage is away altogether.
     */
    void maybeStored(long key) throws StorageException {
        if (!own.isCrowded()) {
            stored(key);
        }
    }

    /**
     * A block for which {@link #begin} was called was in storage already.
     *
     * @return whether neither snapshot nor logs had it, so that other processes have to be told of it
     */
    boolean wasStored(long key) throws StorageException {
        boolean news = knowledge.wasStored(key, ticker.read());
        if (news) {
            stored(key);
        } else {
            own.prove();
        }
        return news;
    }

    /**
     * Another process announces that it stored blocks. For {@link #mightContain} these blocks may be stored, so that
     * lookups ask storage about them, until that process's log must have them. An announcement proves no block and
     * enters no snapshot.
     *
     * @return number of blocks for which there was room
     */
    int heard(Collection<Long> keys) {
        return knowledge.heard(keys, ticker.read());
    }

    /** Ends the store that {@link #begin} began, whether it succeeded or not. */
    void end() {
        own.end();
    }

    /**
     * A block was seen in storage. From now on {@link #mightContain} says that it may be stored. If no log has the
     * block after a while, this process writes it into its own log.
     */
    void seen(long key) {
        knowledge.seen(key, !observing, ticker.read());
    }

    /** A mark of this moment, to be taken before storage is asked for a block and given to {@link #missing}. */
    long asked() {
        return knowledge.asked();
    }

    /**
     * A block is not in storage, although the filter may have it. If that happens often, the partition is listed and
     * the filter made anew.
     *
     * @param asked the mark of {@link #asked}, taken before storage was asked
     * @return whether the answer counts; it does not if the block may have been stored since
     */
    boolean missing(long key, long asked) {
        boolean counts = knowledge.missing(key, asked);
        if (counts && !observing && knowledge.isDoubtful() && ticker.read() - nextListing >= 0) {
            rebuilding.start();
        }
        return counts;
    }

    /**
     * Writes this process's log with the blocks stored since the last beat. To be called every 5 s while
     * {@link #needsBeats}; does nothing while another beat is under way.
     */
    public void beat(boolean last) throws StorageException {
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
        if (own.isLost() || (own.isUnproven() && ticker.read() - nextListing >= 0)) {
            recovery.start();
        }
        if (!observing && isLookDue(knowledge.view())) {
            renewal.start();
        }
        // A partition that is written and never asked about does not read storage, but counts its heap.
        if (learning.tryLock()) {
            try {
                keepWithinHeap();
            } finally {
                learning.unlock();
            }
        }
    }

    /** Whether files must be read because a write was acknowledged on their word. */
    private boolean isLookDue(@Nullable View known) {
        if (!knowledge.leansOnFiles()) {
            return false;
        }
        if (known == null) {
            return true;
        }
        Duration apart = known.limited() ? LIMITED : knowledge.isUnchecked() ? Duration.ZERO : FRESH;
        return ticker.read() - known.asOf() >= apart.toNanos();
    }

    /**
     * Writes and closes this process's log before the process ends. Merges nothing: logs of other partitions are to be
     * closed in the time there is.
     */
    void close() throws StorageException {
        beating.lock();
        try {
            own.beat(true);
        } finally {
            beating.unlock();
        }
    }

    /**
     * Whether there is anything to do for {@link #beat}: this process's log is open, so that other processes expect
     * beats; or a write was acknowledged of late because files have the block, and they must still have it.
     */
    boolean needsBeats() {
        return own.isOpen() || (!observing && knowledge.leansOnFiles());
    }

    /** Approximate heap of this object, in bytes. */
    int weight() {
        return (int) Math.min(Integer.MAX_VALUE, 2048 + bytes());
    }

    private long bytes() {
        return knowledge.bytes() + logs.bytes();
    }

    /** Nobody keeps this partition any more, and its heap no longer counts. Calls under way may still use it. */
    void letGo() {
        heap.release();
    }

    /** This partition is kept, maybe again after {@link #letGo}. */
    void hold() {
        heap.renew();
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
            keepWithinHeap();
        }
    }

    private void read() throws StorageException, MemoryExhaustedException {
        View before = knowledge.view();
        long asOf = ticker.read();
        logs.look(knowledge::stored, heap);
        String beyondLimits = logs.beyondLimits();
        SnapshotVersion<Snapshot> known = before == null ? null : before.stored();
        SnapshotVersion<Snapshot> stored = known;
        boolean damaged = false;
        boolean refused = false;
        try {
            stored = switch (snapshots.readUnless(known, heap)) {
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
        keepWithinHeap();
        mergeWhatPilesUp();
        if (before == null) {
            meters.load().record(Duration.ofNanos(ticker.read() - asOf));
        }
        if (listingDue && !observing && ticker.read() - nextListing >= 0) {
            rebuilding.start();
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
     * Charges the heap that this really takes. If that is more than the account may have, everything is forgotten, and
     * nothing is denied until it is read again.
     */
    private void keepWithinHeap() {
        if (!heap.settle(bytes())) {
            files.guard().warn(files.toString(), "what is known of it takes more heap than there is for presence");
            knowledge.forgetAll(own::keys, ticker.read());
            logs.forget();
            boolean _ = heap.settle(bytes());
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
                keepWithinHeap();
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
                logs.look(knowledge::stored, heap);
                etag = snapshots.etag();
                over = logs.listable();
            } catch (UnreadableException e) {
                return; // not written by a process of ours, so not ours to replace
            } finally {
                keepWithinHeap();
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
