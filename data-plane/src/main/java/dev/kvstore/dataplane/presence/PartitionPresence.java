package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.PresenceFiles.Version;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
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

    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** Closed logs that are worth a new snapshot. */
    static final int MERGE_LOGS = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int REBUILD_TRIES = 3;
    private static final int LEAST_ABSENT = 64;
    private static final System.Logger LOG = System.getLogger(PartitionPresence.class.getName());

    /**
     * Knowledge of one moment.
     *
     * @param etag of the snapshot in storage, null if there is none
     * @param complete whether a block that is unknown here was not stored
     * @param provenUntil when that begins to be doubtful; never, if the maximum
     */
    private record View(Snapshot snapshot, @Nullable String etag, boolean complete, long asOf, long provenUntil) {
        View(Snapshot snapshot, @Nullable String etag, long asOf) {
            this(snapshot, etag, false, asOf, Long.MAX_VALUE);
        }

        boolean isTrusted(long now) {
            return complete && (provenUntil == Long.MAX_VALUE || provenUntil - now > 0);
        }
    }

    private final PresenceFiles files;
    private final OwnLog own;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final PresenceMeters meters;

    /** Held while this learns from storage, or changes the snapshot there. */
    private final ReentrantLock learning = new ReentrantLock();

    private final OthersLogs logs;
    private final Set<Long> recent = ConcurrentHashMap.newKeySet();
    private final Set<Long> absent = ConcurrentHashMap.newKeySet();
    private final Hearsay hearsay = new Hearsay();
    private final Background renewal;
    private final Background rebuilding;
    private volatile @Nullable View view;

    /**
     * Nothing known yet.
     *
     * @param random for the names of epochs
     * @param executor runs what storage is asked behind callers' backs
     */
    PartitionPresence(
            PresenceFiles files,
            Identity self,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            PresenceMeters meters) {
        this.files = files;
        this.own = new OwnLog(files, self, ticker);
        this.logs = new OthersLogs(files, self, own, ticker);
        this.ticker = ticker;
        this.random = random;
        this.renewal = new Background(() -> succeeds(this::learn), executor, ticker);
        this.rebuilding = new Background(() -> succeeds(this::rebuild), executor, ticker);
        this.meters = meters;
    }

    /**
     * Makes sure that what this knows is not older than {@link #STALE}, as far as storage lets it. While storage cannot
     * be asked, what was known last goes on being believed.
     *
     * @return whether a block that {@link #mightContain} denies is not stored
     */
    boolean prepare() {
        View known = view;
        long before = ticker.read();
        if (known == null || before - known.asOf >= STALE.toNanos()) {
            if (renewal.await(PATIENCE) == null) {
                return false;
            }
        } else if (before - known.asOf >= (known.isTrusted(before) ? FRESH : Presence.BEAT).toNanos()) {
            renewal.start();
        }
        View latest = view;
        if (latest == null) {
            return false;
        }
        long now = ticker.read();
        meters.filterAge().record(Duration.ofNanos(Math.max(0, now - latest.asOf)));
        return latest.isTrusted(now);
    }

    /** Whether {@link #prepare} does not wait, now and for a moment to come. */
    boolean isPrepared() {
        View known = view;
        return known != null && ticker.read() - known.asOf < STALE.minus(MOMENT).toNanos();
    }

    /** Whether a block may be stored. */
    boolean mightContain(long key) {
        return hearsay.contains(key) || isDocumented(key);
    }

    /** Whether this process, a log or the snapshot has it: what others say in passing is no reason to leave it unsaid. */
    private boolean isDocumented(long key) {
        View known = view;
        return !absent.contains(key) && (recent.contains(key) || (known != null && known.snapshot.mightContain(key)));
    }

    /** Before a block is stored; {@link #end} must follow. */
    void begin() throws StorageException, MemoryExhaustedException {
        View known = view;
        if (known == null || known.etag == null) {
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
        if (view == null) {
            learn();
        }
        View known = Objects.requireNonNull(view);
        if (known.etag == null && known.complete) {
            files.putSnapshot(Snapshot.empty(random.nextLong()), null);
            learn();
        }
    }

    /** A block that began is durable. When this returns, it may be acknowledged. */
    void stored(long key) throws StorageException {
        recent.add(key);
        absent.remove(key);
        own.stored(key);
    }

    /**
     * A block that began was stored before, by whoever it was.
     *
     * @return whether others have to be told of it
     */
    boolean wasStored(long key) throws StorageException {
        absent.remove(key);
        boolean news = !isDocumented(key);
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
        int taken = hearsay.add(keys, ticker.read());
        keys.forEach(absent::remove);
        return taken;
    }

    /** What began is over. */
    void end() {
        own.end();
    }

    /** A block was seen in storage. */
    void seen(long key) {
        absent.remove(key);
    }

    /** A block is not in storage, whatever filters say. When that happens often, they are made anew. */
    void missing(long key) {
        View known = view;
        if (known != null && isDocumented(key) && absent.add(key)) {
            if (absent.size() >= Math.max(LEAST_ABSENT, known.snapshot.size() / 10)) {
                rebuilding.start();
            }
        }
    }

    /** As above, as of when storage was asked, by the ticker: what was said to be stored since then may well be. */
    void missing(long key, long asked) {
        if (hearsay.disprove(key, asked)) {
            missing(key);
        }
    }

    /** Tells others what was stored here. Every 5 s while {@link #isOpen}. */
    void beat(boolean last) throws StorageException, MemoryExhaustedException {
        if (own.beat(last)) {
            learning.lock();
            try {
                learn();
                merge();
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
        View known = view;
        return 2048
                + (recent.size() + absent.size()) * 64
                + hearsay.weight()
                + (known == null ? 0 : known.snapshot.encodedBytes());
    }

    /** Logs first, the snapshot last: a log that is gone by then is in the snapshot. */
    private void learn() throws StorageException, MemoryExhaustedException {
        View before = view;
        long asOf = ticker.read();
        logs.look(this::isNews);
        Version<Snapshot> changed;
        boolean damaged = false;
        try {
            changed = files.snapshotUnless(before == null ? null : before.etag);
        } catch (UnreadableException e) {
            LOG.log(Level.WARNING, "presence {0}", e.getMessage());
            changed = null;
            damaged = true;
        }
        if (changed == null) {
            changed = before == null || before.etag == null ? null : new Version<>(before.snapshot, before.etag);
        }
        Snapshot snapshot = changed == null ? Snapshot.empty(0) : changed.content();
        if (before != null && before.etag != null && snapshot.epoch() != before.snapshot.epoch()) {
            // What the snapshot before had was left out of what is recent here: everything is news once more.
            recent.addAll(own.keys());
            logs.forget();
            view = new View(snapshot, changed == null ? before.etag : changed.etag(), asOf);
            learn();
            return;
        }
        boolean listingDue = damaged || logs.callForListing() || (changed == null && isInhabited());
        recent.removeIf(snapshot::mightContain);
        hearsay.expire(asOf);
        view = new View(
                snapshot,
                changed == null ? null : changed.etag(),
                !listingDue && !logs.hideBlocks() && !logs.areForeign(),
                asOf,
                logs.provenUntil());
        if (before == null) {
            meters.load().record(Duration.ofNanos(ticker.read() - asOf));
        }
        if (listingDue) {
            rebuilding.start();
        }
    }

    private void isNews(List<Long> keys) {
        recent.addAll(keys);
        keys.forEach(absent::remove);
    }

    /** Without a snapshot, what is stored here was stored by a process that knew nothing of presence, or it was lost. */
    private boolean isInhabited() throws StorageException {
        return !logs.isEmpty() || own.isOpen() || files.isDescribed();
    }

    /** Puts complete logs into the snapshot. */
    private void merge() throws StorageException {
        View known = Objects.requireNonNull(view);
        Map<String, String> complete = logs.complete();
        if (complete.size() < MERGE_LOGS || !known.complete || known.etag == null) {
            return;
        }
        Snapshot merged = known.snapshot.with(Set.copyOf(recent));
        String etag = files.putSnapshot(merged, known.etag);
        if (etag != null) {
            view = new View(merged, etag, true, known.asOf, known.provenUntil);
            recent.removeIf(merged::mightContain);
            logs.delete(complete);
        }
    }

    /** Makes a snapshot of the truth: lists the partition. Logs of the dead are over then. */
    private void rebuild() throws StorageException, MemoryExhaustedException {
        for (int i = 0; i < REBUILD_TRIES; i++) {
            long asOf = ticker.read();
            logs.look(this::isNews);
            String etag;
            try {
                Version<Snapshot> there = files.snapshotUnless(null);
                etag = there == null ? null : there.etag();
            } catch (UnreadableException e) {
                if (e.isNewer()) {
                    return;
                }
                etag = e.etag();
            }
            Map<String, String> over = logs.listable();
            Snapshot truth = Snapshot.empty(random.nextLong()).with(files.listBlocks());
            String written = files.putSnapshot(truth, etag);
            if (written != null) {
                recent.removeAll(absent);
                absent.clear();
                recent.addAll(own.keys());
                view = new View(truth, written, asOf);
                logs.delete(over);
                logs.forget();
                meters.rebuilds().increment();
                learn();
                return;
            }
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws StorageException, MemoryExhaustedException;
    }

    private boolean succeeds(Work work) {
        learning.lock();
        try {
            work.run();
            return true;
        } catch (StorageException | MemoryExhaustedException e) {
            LOG.log(Level.WARNING, "presence of partition {0}: {1}", files, e.getMessage());
            return false;
        } finally {
            learning.unlock();
        }
    }
}
