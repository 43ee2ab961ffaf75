package dev.kvstore.dataplane.presence.log;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of the blocks that this process stores in a partition. It is in storage, marked as open, before the first
 * block is acknowledged. Every beat writes it again, with the blocks stored since; after 10 s without a block it is
 * marked as closed. So a process that finds a log open and unchanged for 20 s knows that the writer died, and may have
 * stored more blocks than its log has. Thread-safe.
 */
public final class OwnLog {
    /** A log is closed when nothing was stored for this long. */
    public static final Duration IDLE = Duration.ofSeconds(10);

    /** A log is written this often, whether there is something new or not. */
    public static final Duration BEAT = Duration.ofSeconds(5);

    /**
     * Blocks may be acknowledged for this long after a beat; later ones wait for another beat. Other processes take
     * this one for dead no earlier. They then list the stored blocks and delete the log, and would miss a block that
     * was acknowledged afterwards.
     */
    public static final Duration LEASE = OthersLogs.DEAD.minus(BEAT);

    /**
     * Most keys of one log. Further keys go into logs of their own, since others do not read a log that is too long.
     */
    static final int MOST_KEYS = 4 * Log.MAX_KEYS;

    /** Most logs that wait to be deleted or closed; then a full log grows until there are fewer. */
    private static final int MOST_LEFT = 16;

    /** How long no block is begun after storage refused to replace the log; then the log is tried again. */
    static final Duration HELD = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(OwnLog.class.getName());

    /** Storage does not let the log be replaced: a policy keeps it, or a lease. */
    private record HeldLog(StorageException refusal, long at) {}

    /**
     * A log that other processes would take for that of a dead process, and list the partition.
     *
     * @param closed its content when it is closed; null to delete it, since the next log has its keys
     */
    private record LeftLog(LogBlob log, @Nullable Log closed) {}

    /** A moment, see {@link #mark}. */
    public record LogMark(long keys, long losses) {}

    private final PresenceFiles files;
    private final LogWriter writer;
    private final Ticker ticker;

    /** The lock held during calls to storage, unlike {@link #lock}. */
    private final ReentrantLock writing = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Long> keys = new ArrayList<>();
    private volatile @Nullable LogBlob current;
    private volatile @Nullable HeldLog held;

    /** Open logs that are to be deleted or closed, which storage refused. Changes under {@link #writing}. */
    private final Deque<LeftLog> left = new ArrayDeque<>();

    /** How often the log was gone, or damaged, when it was to be written. */
    private final AtomicLong losses = new AtomicLong();

    /** How many of the {@link #losses} have been dealt with. */
    private volatile long recovered;

    /** Whether the log is gone, and its missing keys are in no other log yet. */
    private volatile boolean orphaned;

    /** Whether the log was gone, and its keys that were carried into another may be of blocks that are gone as well. */
    private volatile boolean unproven;

    private boolean accepting;
    private boolean ended;
    private int inFlight;
    private int logged;

    /** How many keys there were before the first of {@link #keys}. */
    private long dropped;

    private long lastStored;
    private volatile long lastBeat;
    private long beat;

    public OwnLog(PresenceFiles files, LogWriter writer, Ticker ticker) {
        this.files = files;
        this.writer = writer;
        this.ticker = ticker;
    }

    /**
     * Must be called before a block is stored, and {@link #end} after. Opens the log if it is not open, which calls
     * storage.
     *
     * @throws StorageException also after the last beat, since nobody would close the log; and before the block is
     *     stored in vain, if the log could not be replaced
     */
    public void begin() throws StorageException {
        requireRelease();
        if (entered()) {
            return;
        }
        writing.lock();
        try {
            if (entered()) {
                return;
            }
            requireBeats();
            spill();
            settle();
            open(logged());
            enter();
        } catch (StorageException e) {
            throw noted(e);
        } finally {
            writing.unlock();
        }
    }

    private void requireRelease() throws StorageException {
        HeldLog last = held;
        if (last == null) {
            return;
        }
        if (ticker.read() - last.at < HELD.toNanos()) {
            throw last.refusal.again();
        }
        boolean _ = beat(false);
    }

    private boolean entered() {
        lock.lock();
        try {
            if (accepting) {
                inFlight++;
            }
            return accepting;
        } finally {
            lock.unlock();
        }
    }

    private void requireBeats() throws StorageException {
        lock.lock();
        try {
            if (ended) {
                throw new StorageException(Kind.UNAVAILABLE, "this process stops, and stores no more blocks", null);
            }
        } finally {
            lock.unlock();
        }
    }

    private void enter() {
        lock.lock();
        try {
            accepting = true;
            inFlight++;
            lastStored = ticker.read();
        } finally {
            lock.unlock();
        }
    }

    /** Writes the keys beyond {@link #MOST_KEYS} into logs of their own. */
    private void spill() throws StorageException {
        int said = logged();
        for (List<Long> rest = keysFrom(said); said + rest.size() > MOST_KEYS; rest = keysFrom(said)) {
            tell(rest);
            lock.lock();
            try {
                keys.subList(said, said + rest.size()).clear();
                dropped += rest.size();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Closes a log whose closing failed before: a log that others may have seen closed must never be open again. */
    private void settle() throws StorageException {
        LogBlob unsettled = current;
        List<Long> all = keysFrom(0);
        if (unsettled != null) {
            if (unsettled.put(new Log(beat++, false, all))) {
                forget(all.size());
            } else {
                losses.incrementAndGet();
            }
        }
        current = null;
    }

    /**
     * A block is durable; it may be acknowledged when this returns. Writes the log first if other processes may take
     * this one for dead, or if no beat follows.
     */
    public void stored(long key) throws StorageException {
        boolean late;
        lock.lock();
        try {
            keys.add(key);
            lastStored = ticker.read();
            late = ended;
        } finally {
            lock.unlock();
        }
        if (late || isDoubtful()) {
            writing.lock();
            try {
                if (late) {
                    tellRest();
                } else if (isDoubtful()) {
                    beat(false);
                }
            } finally {
                writing.unlock();
            }
        }
    }

    /**
     * Whether each key is in a log, or will be in time: no key waits, or other processes do not take this one for dead.
     */
    public boolean isProven() {
        return !isDoubtful() || waiting() == 0;
    }

    /** Whether as many keys wait for the log as fill one. */
    public boolean isCrowded() {
        return waiting() >= Log.MAX_KEYS;
    }

    /** Keys that no log has yet. */
    private int waiting() {
        lock.lock();
        try {
            return keys.size() - logged;
        } finally {
            lock.unlock();
        }
    }

    /** Writes the log unless each key is in a log, or will be in time. */
    public void prove() throws StorageException {
        if (!isProven()) {
            boolean _ = beat(false);
        }
    }

    private boolean isDoubtful() {
        return ticker.read() - lastBeat >= LEASE.toNanos();
    }

    /** Writes, after the last beat, the keys that no log has yet into a log that is closed at once. */
    private void tellRest() throws StorageException {
        spill();
        settle();
        int said = logged();
        List<Long> rest = keysFrom(said);
        tell(rest);
        forget(said + rest.size());
    }

    /** Writes keys of stored blocks into a separate log that is closed at once. */
    public void tell(List<Long> stored) throws StorageException {
        writing.lock();
        try {
            for (int from = 0; from < stored.size(); from += Log.MAX_KEYS) {
                List<Long> some = stored.subList(from, Math.min(stored.size(), from + Log.MAX_KEYS));
                requireNew(new LogBlob(files, writer.nextLog()), new Log(beat++, false, some));
            }
        } finally {
            writing.unlock();
        }
    }

    private static void requireNew(LogBlob log, Log content) throws StorageException {
        if (!log.put(content)) {
            throw new StorageException(Kind.UNAVAILABLE, "presence log " + log.name() + " is gone at once", null);
        }
    }

    /** Ends the store that {@link #begin} began, whether it succeeded or not. */
    public void end() {
        lock.lock();
        try {
            inFlight--;
        } finally {
            lock.unlock();
        }
    }

    /** Begins another log with the keys from an index on. The log before stays as it is. */
    private void open(int from) throws StorageException {
        long now = ticker.read();
        List<Long> first = keysFrom(from);
        LogBlob next = new LogBlob(files, writer.nextLog());
        try {
            requireNew(next, new Log(beat++, true, first));
        } catch (StorageException e) {
            // The log may be there all the same.
            leave(new LeftLog(next, null));
            throw e;
        }
        current = next;
        orphaned = false;
        lastBeat = now;
        lock.lock();
        try {
            dropFirst(from);
            logged = first.size();
        } finally {
            lock.unlock();
        }
    }

    /** The keys that a beat writes, and whether it closes the log; decided in one step. */
    private record LogPlan(List<Long> keys, boolean closing) {}

    /**
     * Writes the log with the keys stored since the last beat; closes it if none was stored for {@link #IDLE}.
     *
     * @param last whether this is the last beat: closes the log in any case; later keys go into logs of their own at
     *     once
     * @return whether a log was closed, which others may merge
     */
    public boolean beat(boolean last) throws StorageException {
        writing.lock();
        try {
            boolean closed = write(last);
            held = null;
            return closed;
        } catch (StorageException e) {
            throw noted(e);
        } finally {
            writing.unlock();
        }
    }

    private StorageException noted(StorageException e) {
        if (e.kind() == Kind.HELD) {
            held = new HeldLog(e, ticker.read());
        }
        return e;
    }

    private void leave(LeftLog log) {
        if (left.size() < MOST_LEFT) {
            left.add(log);
        }
    }

    /** Deletes or closes the logs that were left. A log that a lease or a policy keeps stays as it is. */
    private void tidy() {
        for (LeftLog log = left.peek(); log != null; log = left.peek()) {
            try {
                if (log.closed == null) {
                    log.log.delete();
                } else {
                    boolean _ = log.log.put(log.closed);
                }
            } catch (StorageException e) {
                LOG.log(Level.DEBUG, "presence log {0} stays open: {1}", log.log.name(), e.getMessage());
                if (e.kind().passes()) {
                    return;
                }
            }
            left.remove();
        }
    }

    private boolean write(boolean last) throws StorageException {
        tidy();
        LogBlob log = current;
        if (log != null) {
            spill();
        }
        // The time is read first: others count from the moment as of which the log has all keys.
        long now = ticker.read();
        LogPlan plan = plan(last);
        if (log == null) {
            return orphaned && replace(plan, last);
        }
        if (!log.put(new Log(beat++, !plan.closing, plan.keys))) {
            return replace(plan, last);
        }
        if (plan.closing) {
            current = null;
            forget(plan.keys.size());
            return true;
        }
        lastBeat = now;
        logged(plan.keys.size());
        return plan.keys.size() >= Log.MAX_KEYS && left.size() < MOST_LEFT && roll(log, plan.keys);
    }

    private LogPlan plan(boolean last) {
        lock.lock();
        try {
            boolean idle = inFlight == 0 && logged == keys.size() && ticker.read() - lastStored >= IDLE.toNanos();
            boolean closing = last || idle;
            ended |= last;
            if (closing) {
                accepting = false;
            }
            return new LogPlan(List.copyOf(keys), closing);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Another process took this one for dead, and deleted the log; or somebody else did. The keys that the log did not
     * have go into a new one. The others are in the snapshot of that process, or are found by a listing. If somebody
     * deleted everything, the blocks of the carried keys are gone: only a listing tells ({@link #listedUntil}).
     */
    private boolean replace(LogPlan plan, boolean last) throws StorageException {
        losses.incrementAndGet();
        orphaned = true;
        current = null;
        accepting(false);
        if (plan.closing && plan.keys.size() == logged()) {
            forget(plan.keys.size());
            return false;
        }
        if (last) {
            tellRest();
            return true;
        }
        open(logged());
        unproven |= logged() > 0;
        accepting(true);
        return false;
    }

    /** Marks this moment, to be taken before a listing begins and given to {@link #listedUntil}. */
    public LogMark mark() {
        lock.lock();
        try {
            return new LogMark(dropped + keys.size(), losses.get());
        } finally {
            lock.unlock();
        }
    }

    /**
     * A snapshot made by a listing is in storage: keys from before it are in that snapshot, or their blocks are gone.
     * The log goes on without them, under another name, since others read only the keys that a log has gained.
     *
     * @param mark the answer of {@link #mark} before the listing began
     */
    public void listedUntil(LogMark mark) throws StorageException {
        writing.lock();
        try {
            int listed = listed(mark.keys);
            LogBlob log = current;
            if (log != null && listed > 0) {
                open(listed);
                leave(new LeftLog(log, null));
                tidy();
            } else {
                leaveOut(listed);
            }
            unproven = false;
            recovered(mark);
        } finally {
            writing.unlock();
        }
    }

    private int listed(long mark) {
        lock.lock();
        try {
            return Math.clamp(mark - dropped, 0, keys.size());
        } finally {
            lock.unlock();
        }
    }

    private void leaveOut(int first) {
        lock.lock();
        try {
            dropFirst(first);
            logged = Math.max(0, logged - first);
        } finally {
            lock.unlock();
        }
    }

    /** Opens the next log before the full one is closed, so that one is open at every moment. */
    private boolean roll(LogBlob full, List<Long> content) throws StorageException {
        open(content.size());
        leave(new LeftLog(full, new Log(beat++, false, content)));
        tidy();
        return left.isEmpty();
    }

    /** Forgets the first keys, which closed logs have. */
    private void forget(int told) {
        orphaned = false;
        lock.lock();
        try {
            dropFirst(told);
            logged = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the first keys. The caller holds {@link #lock}. */
    private void dropFirst(int count) {
        keys.subList(0, count).clear();
        dropped += count;
    }

    private void accepting(boolean now) {
        lock.lock();
        try {
            accepting = now;
        } finally {
            lock.unlock();
        }
    }

    private void logged(int count) {
        lock.lock();
        try {
            logged = count;
        } finally {
            lock.unlock();
        }
    }

    private int logged() {
        lock.lock();
        try {
            return logged;
        } finally {
            lock.unlock();
        }
    }

    private List<Long> keysFrom(int index) {
        lock.lock();
        try {
            return List.copyOf(keys.subList(index, keys.size()));
        } finally {
            lock.unlock();
        }
    }

    /** The keys that the open log has, or will have with the next beat. */
    public List<Long> keys() {
        return keysFrom(0);
    }

    /** Whether the log was gone, or damaged, when it was to be written, and nothing was {@link #recovered} since. */
    public boolean isLost() {
        return losses.get() != recovered;
    }

    /** Records that the losses until a moment have been dealt with. */
    public void recovered(LogMark mark) {
        recovered = mark.losses;
    }

    /** Whether the log has keys of blocks that may be gone, so that a listing is due. */
    public boolean isUnproven() {
        return unproven;
    }

    /** Whether a log is open, or is to be open again, or to be listed for: beats are due. */
    public boolean isOpen() {
        return current != null || orphaned || unproven || isLost();
    }

    /** Whether this is the log that is open. */
    boolean isCurrent(String log) {
        LogBlob open = current;
        return open != null && open.name().equals(log);
    }
}
