package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The questions of callers about the blocks of one partition, and their news: blocks that they store, see or miss. Answers
 * from the {@link Knowledge}, which the {@link PartitionLearner} reads from storage. That happens only when a caller
 * asks about the partition: {@link #prepare} says from which age on. Before the first block is stored, this process's
 * log is opened in storage (and an empty snapshot, if there is none); then the log is written every 5 s
 * ({@link #beat}). Thread-safe.
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

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final OwnLog own;
    private final boolean observing;
    private final Ticker ticker;
    private final PresenceMeters meters;
    private final Knowledge knowledge;
    private final PartitionHeap heap;
    private final PartitionLearner learner;
    private final ReentrantLock beating = new ReentrantLock();

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
        this.own = new OwnLog(files, writer, ticker);
        this.observing = observing;
        this.ticker = ticker;
        this.meters = meters;
        this.knowledge = new Knowledge(observing);
        OthersLogs logs = new OthersLogs(files, writer, own, ticker);
        this.heap = new PartitionHeap(files, own, logs, knowledge, ticker);
        this.learner =
                new PartitionLearner(files, own, logs, knowledge, heap, observing, ticker, random, executor, meters);
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
                learner.renewal.start();
            }
        } else if (known == null || before - known.asOf() >= STALE.toNanos()) {
            if (learner.renewal.await(PATIENCE) == null) {
                return false;
            }
        } else if (before - known.asOf() >= (observing || known.isTrusted(before) ? FRESH : Presence.BEAT).toNanos()) {
            learner.renewal.start();
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
        if (known == null || known.stored() == null) {
            learner.found();
        }
        boolean opens = !own.isOpen();
        own.begin();
        if (opens && known != null && known.stored() != null) {
            learner.lossCheck.start();
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
        if (counts && !observing && knowledge.isDoubtful()) {
            learner.listIfDue();
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
                learner.merging.start();
            }
        } finally {
            beating.unlock();
        }
        learner.recoverOwnLog();
        if (!observing && isLookDue(knowledge.view())) {
            learner.renewal.start();
        }
        // A partition that is written and never asked about does not read storage, but counts its heap.
        learner.chargeHeap();
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
        return (int) Math.min(Integer.MAX_VALUE, 2048 + heap.bytes());
    }

    /** Nobody keeps this partition any more, and its heap no longer counts. Calls under way may still use it. */
    void letGo() {
        heap.reservation.release();
    }

    /** This partition is kept, maybe again after {@link #letGo}. */
    void hold() {
        heap.reservation.renew();
    }
}
