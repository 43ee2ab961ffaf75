package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that opens the log, loads it, and writes waiting blocks to it, as many at once as there are. While the
 * folder cannot be used, it tries again from time to time.
 */
final class DiskWriter implements AutoCloseable {
    /** How long a process that ends waits until the last blocks are written. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    /** A disk writes the largest batch in much less than this; after this time it counts as hanging. */
    private static final Duration SLOW = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(DiskWriter.class.getName());

    private final DiskSettings settings;
    private final Survivors survivors;
    private final DemotionQueue queue;
    private final DiskCounters counters;
    private final InstantSource clock;
    private final Breaker writes;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable DiskLog log;
    private volatile @Nullable Instant writingSince;
    private volatile DiskState state = new DiskState(Condition.LOADING, "just started");

    DiskWriter(
            DiskSettings settings, MemoryPool pool, DemotionQueue queue, DiskCounters counters, InstantSource clock) {
        this.settings = settings;
        this.survivors = new Survivors(pool, new ByteBudget(settings.survivorBytes()));
        this.queue = queue;
        this.counters = counters;
        this.clock = clock;
        this.writes = new Breaker(clock, DiskSettings.PAUSE);
        this.thread = Thread.ofPlatform().daemon().name("disk-writer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The log, once it is loaded. */
    @Nullable
    DiskLog log() {
        return log;
    }

    /** Whether the disk is written to; false during the pause after failures. */
    boolean isWriting() {
        return writes.permits();
    }

    DiskState state() {
        String paused = writes.pausedFor();
        Instant since = writingSince;
        if (paused == null && since != null && clock.instant().isAfter(since.plus(SLOW))) {
            paused = "the disk has not taken what it was given at " + since;
        }
        DiskState now = state;
        return now.condition() == Condition.WORKING && paused != null
                ? new DiskState(Condition.PAUSED, "not written for a while: " + paused)
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
        try (DiskLog opened = DiskLog.open(settings, survivors, counters, clock)) {
            state = new DiskState(Condition.LOADING, settings.folder() + ": " + opened.mode());
            opened.load();
            queue.open(opened, () -> log = opened);
            state = new DiskState(Condition.WORKING, settings.folder() + ": " + opened.mode());
            try {
                serve(opened);
            } finally {
                log = null;
            }
        } catch (IOException | RuntimeException | Error e) {
            String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
            if (!state.reason().equals(reason)) {
                LOG.log(Level.ERROR, "disk tier: " + reason + "; blocks come from storage alone meanwhile");
            }
            counters.errors().increment();
            state = new DiskState(Condition.UNUSABLE, reason);
        }
    }

    private void serve(DiskLog to) throws InterruptedException {
        DemotionQueue.Batch batch = queue.take(to.room());
        while (batch != null) {
            if (batch.isEmpty()) {
                advance(to);
            } else {
                write(to, batch);
            }
            batch = queue.take(to.room());
        }
    }

    private void advance(DiskLog to) {
        try {
            to.advance();
        } catch (IOException e) {
            failed(e);
            counters.dropped().add(queue.drop());
        }
    }

    private void write(DiskLog to, DemotionQueue.Batch batch) {
        boolean written = false;
        try {
            writingSince = clock.instant();
            Map<RecordKey, DiskAddress> places = to.write(batch);
            written = true;
            writes.succeeded();
            counters.demotions().add(places.size());
            queue.done(batch, key -> {
                DiskAddress place = places.get(key);
                if (place != null) {
                    to.index().put(key, place);
                }
            });
        } catch (IOException e) {
            failed(e);
            to.abandon();
        } finally {
            writingSince = null;
            if (!written) {
                counters.dropped().add(batch.blocks().size());
                queue.done(batch, key -> {});
                queue.putBack(batch.forgotten());
            }
        }
    }

    private void failed(IOException e) {
        counters.errors().increment();
        boolean before = writes.pausedFor() == null;
        writes.failed(String.valueOf(e.getMessage()));
        if (before && writes.pausedFor() != null) {
            LOG.log(Level.ERROR, "disk tier: not written for a while: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        queue.close();
        closing.countDown();
        try {
            if (!thread.join(LAST_WORDS)) {
                LOG.log(Level.ERROR, "disk tier: {0} did not take the last blocks in time", settings.folder());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
