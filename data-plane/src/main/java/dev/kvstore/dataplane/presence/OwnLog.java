package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of what this process stores in a partition. It is open, in storage, before the first block is acknowledged,
 * and is written again at every beat, with what was stored since; when nothing was for a while, it is closed. So whoever
 * finds a log open and unchanged for long knows that its process died and may have stored more than it says.
 * Thread-safe.
 */
final class OwnLog {
    /** A log is closed when nothing was stored for this long. */
    static final Duration IDLE = Duration.ofSeconds(10);

    /**
     * So long after a beat blocks may be acknowledged; then only after the next. Others take this process for dead no
     * earlier, list what is stored and delete the log, and would not know of a block that was stored afterwards.
     */
    static final Duration LEASE = OthersLogs.DEAD.minus(Presence.BEAT);

    private final PresenceFiles files;
    private final Identity self;
    private final Ticker ticker;

    /** Held while storage is asked; {@link #lock} is not. */
    private final ReentrantLock writing = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Long> keys = new ArrayList<>();
    private volatile @Nullable String name;
    private @Nullable String etag;
    private boolean accepting;
    private int inFlight;
    private int logged;
    private long lastStored;
    private volatile long lastBeat;
    private long number;
    private long beat;

    OwnLog(PresenceFiles files, Identity self, Ticker ticker) {
        this.files = files;
        this.self = self;
        this.ticker = ticker;
    }

    /** Makes sure that the log is open, before a block is stored; {@link #end} must follow. Asks storage if it is not. */
    void begin() throws StorageException {
        if (entered()) {
            return;
        }
        writing.lock();
        try {
            if (entered()) {
                return;
            }
            open(keyCount());
            lock.lock();
            try {
                accepting = true;
                inFlight++;
                lastStored = ticker.read();
            } finally {
                lock.unlock();
            }
        } finally {
            writing.unlock();
        }
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

    /** A block is durable; it may be acknowledged when this returns. Asks storage if others may think this dead. */
    void stored(long key) throws StorageException {
        lock.lock();
        try {
            keys.add(key);
            lastStored = ticker.read();
        } finally {
            lock.unlock();
        }
        if (isDoubtful()) {
            writing.lock();
            try {
                if (isDoubtful()) {
                    beat(false);
                }
            } finally {
                writing.unlock();
            }
        }
    }

    private boolean isDoubtful() {
        return ticker.read() - lastBeat >= LEASE.toNanos();
    }

    /** What began is over. */
    void end() {
        lock.lock();
        try {
            inFlight--;
        } finally {
            lock.unlock();
        }
    }

    /** Begins another log, which holds the keys from an index on; the one before, if any, is left as it is. */
    private void open(int from) throws StorageException {
        long now = ticker.read();
        List<Long> first = keysFrom(from);
        String next = self.log(number++);
        String written = files.putLog(next, new Log(beat++, true, first), null);
        if (written == null) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, "presence log " + next + " is there already", null);
        }
        name = next;
        etag = written;
        lastBeat = now;
        lock.lock();
        try {
            keys.subList(0, from).clear();
            logged = first.size();
        } finally {
            lock.unlock();
        }
    }

    /** What a beat does, decided in one moment. */
    private record Plan(List<Long> keys, boolean closing) {}

    /**
     * Writes what was stored since the last beat; closes the log if that is nothing, and has been for a while.
     *
     * @param last close it in any case; nothing is stored any more
     * @return whether a log was closed, which others may merge
     */
    boolean beat(boolean last) throws StorageException {
        writing.lock();
        try {
            String current = name;
            if (current == null) {
                return false;
            }
            long now = ticker.read();
            Plan plan = plan(last);
            // Should this fail, nobody can tell what storage has: what is stored next goes into another log then.
            String written = files.putLog(current, new Log(beat++, !plan.closing, plan.keys), etag);
            if (written == null) {
                return replace(plan, last);
            }
            if (plan.closing) {
                forget();
                return true;
            }
            etag = written;
            lastBeat = now;
            logged(plan.keys.size());
            return plan.keys.size() >= Log.MAX_KEYS && roll(current, written, plan.keys);
        } finally {
            writing.unlock();
        }
    }

    private Plan plan(boolean last) {
        lock.lock();
        try {
            boolean idle = inFlight == 0 && logged == keys.size() && ticker.read() - lastStored >= IDLE.toNanos();
            boolean closing = last || idle;
            if (closing) {
                accepting = false;
            }
            return new Plan(List.copyOf(keys), closing);
        } finally {
            lock.unlock();
        }
    }

    /** Somebody took this process for dead, having seen what the log said; what it did not say goes into another. */
    private boolean replace(Plan plan, boolean last) throws StorageException {
        if (plan.closing && plan.keys.size() == logged) {
            forget();
            return false;
        }
        open(logged);
        accepting(!last);
        return last && beat(true);
    }

    /** The next log is open before the full one is closed: there is no moment without. */
    private boolean roll(String full, String written, List<Long> content) throws StorageException {
        open(content.size());
        return files.putLog(full, new Log(beat++, false, content), written) != null;
    }

    private void forget() {
        name = null;
        etag = null;
        lock.lock();
        try {
            keys.clear();
            logged = 0;
        } finally {
            lock.unlock();
        }
    }

    private void accepting(boolean on) {
        lock.lock();
        try {
            accepting = on;
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

    private int keyCount() {
        lock.lock();
        try {
            return keys.size();
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

    /** What the open log holds or will hold. */
    List<Long> keys() {
        return keysFrom(0);
    }

    /** Whether a log is open. */
    boolean isOpen() {
        return name != null;
    }

    /** Whether this is the log that is open. */
    boolean isCurrent(String log) {
        return log.equals(name);
    }
}
