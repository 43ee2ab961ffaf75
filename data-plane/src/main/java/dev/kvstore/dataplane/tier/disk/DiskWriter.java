package dev.kvstore.dataplane.tier.disk;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that opens the log of a disk, loads it, and writes waiting blocks to it, as many at once as there are.
 * While the folder cannot be used, it tries again from time to time.
 */
final class DiskWriter implements AutoCloseable {
    /** How long a process that ends waits until the last blocks are written. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    /** A disk writes the largest batch in much less than this; after this time it counts as hanging. */
    private static final Duration SLOW = Duration.ofSeconds(5);

    /** Survivors are half a region, which is up to eight such batches, read and written. */
    private static final Duration SLOW_TO_ADVANCE = SLOW.multipliedBy(8);

    private static final System.Logger LOG = System.getLogger(DiskWriter.class.getName());

    private final DiskSettings settings;
    private final DiskMark mark;
    private final Survivors survivors;
    private final DemotionQueue queue;
    private final DiskCounters counters;
    private final Ticker ticker;
    private final Breaker writes;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable DiskLog log;
    private volatile @Nullable Long due;
    private volatile DiskState state = new DiskState(Condition.LOADING, "just started");

    DiskWriter(
            DiskSettings settings,
            DiskMark mark,
            Survivors survivors,
            DemotionQueue queue,
            DiskCounters counters,
            Ticker ticker) {
        this.settings = settings;
        this.mark = mark;
        this.survivors = survivors;
        this.queue = queue;
        this.counters = counters;
        this.ticker = ticker;
        this.writes = new Breaker(ticker, DiskSettings.PAUSE);
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("disk-writer " + settings.folder())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The log, once it is loaded. */
    @Nullable
    DiskLog log() {
        return log;
    }

    /** Whether the disk is written to; false while it hangs, and during the pause after failures. */
    boolean isWriting() {
        return log != null && !isHanging() && writes.permits();
    }

    /** Whether the disk has been at its work for longer than a disk needs. */
    boolean isHanging() {
        Long by = due;
        return by != null && ticker.read() - by > 0;
    }

    DiskState state() {
        String paused = isHanging() ? "it has not taken what it was given" : writes.pausedFor();
        DiskState now = state;
        return now.condition() == Condition.WORKING && paused != null
                ? new DiskState(Condition.PAUSED, settings.folder() + ": not written for a while: " + paused)
                : now;
    }

    private void run() {
        try {
            do {
                attempt();
            } while (!closing.await(settings.retry().toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            counters.dropped().add(queue.drop());
        }
    }

    /** Returns when the tier is closed, or the folder cannot be used. */
    private void attempt() throws InterruptedException {
        try (DiskLog opened = DiskLog.open(settings, mark, survivors, counters, ticker)) {
            state = new DiskState(Condition.LOADING, settings.folder() + ": " + opened.mode());
            opened.load();
            queue.open(opened, () -> log = opened);
            state = new DiskState(Condition.WORKING, settings.folder() + ": " + opened.mode());
            try {
                serve(opened);
            } finally {
                log = null;
                due = null;
                counters.dropped().add(queue.drop());
            }
            if (queue.owesNames()) {
                withdraw();
            }
        } catch (Folder.FolderInUseException e) {
            unusable(String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException | Error e) {
            unusable(e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString());
            withdraw();
        }
    }

    private void unusable(String reason) {
        if (!state.reason().equals(reason)) {
            LOG.log(Level.ERROR, "disk tier: " + reason + "; its blocks come from storage meanwhile");
        }
        counters.errors().increment();
        state = new DiskState(Condition.UNUSABLE, reason);
    }

    private void withdraw() {
        try {
            mark.withdraw();
        } catch (IOException e) {
            LOG.log(Level.ERROR, "disk tier: " + e.getMessage() + "; forgotten blocks may come back at the next start");
        }
    }

    /** Returns when the tier is closed; fails if the folder cannot be used any more. */
    private void serve(DiskLog to) throws InterruptedException, IOException {
        DemotionQueue.Batch batch = queue.take(to.room());
        while (batch != null) {
            due = ticker.read() + (batch.isEmpty() ? SLOW_TO_ADVANCE : SLOW).toNanos();
            boolean done = batch.isEmpty() ? isAdvanced(to) : isWritten(to, batch);
            mark(done);
            if (!done) {
                to.probe();
            }
            due = null;
            batch = queue.take(to.room());
        }
    }

    /** Has the mark tell a process that follows whether the disk misses names, if this one is killed now. */
    private void mark(boolean done) {
        if (queue.hasLostNames() || (!done && queue.owesNames())) {
            withdraw();
        } else if (!queue.owesNames()) {
            try {
                mark.restore();
            } catch (IOException e) {
                LOG.log(Level.ERROR, "disk tier: " + e.getMessage() + "; " + settings.folder() + " will begin empty");
            }
        }
    }

    private boolean isAdvanced(DiskLog to) {
        try {
            to.advance();
            return true;
        } catch (IOException e) {
            failed(e);
            counters.dropped().add(queue.drop());
            return false;
        }
    }

    private boolean isWritten(DiskLog to, DemotionQueue.Batch batch) {
        boolean written = false;
        try {
            Map<RecordKey, DiskAddress> places = to.write(batch);
            written = true;
            writes.succeeded();
            counters.demotions().add(places.size());
            queue.done(batch, key -> {
                DiskAddress address = places.get(key);
                if (address != null) {
                    to.index().put(key, address);
                }
            });
        } catch (IOException e) {
            failed(e);
            to.abandon();
        } finally {
            if (!written) {
                counters.dropped().add(batch.blocks().size());
                queue.done(batch, key -> {});
                queue.putBack(batch.forgotten());
            }
        }
        return written;
    }

    private void failed(IOException e) {
        counters.errors().increment();
        boolean before = writes.pausedFor() == null;
        writes.failed(String.valueOf(e.getMessage()));
        if (before && writes.pausedFor() != null) {
            LOG.log(Level.ERROR, "disk tier: {0}: not written for a while: {1}", settings.folder(), e.getMessage());
        }
    }

    @Override
    public void close() {
        queue.close();
        closing.countDown();
        try {
            if (!thread.join(LAST_WORDS)) {
                LOG.log(Level.ERROR, "disk tier: {0} did not take the last blocks in time", settings.folder());
                withdraw();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
