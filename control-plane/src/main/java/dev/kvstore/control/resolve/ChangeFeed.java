package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeReader;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.control.loop.Repeating;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes to data planes that watch, whichever control plane made them. The feed reads the change log when
 * PostgreSQL notifies it, and once in {@link #BEAT} in any case. A watcher gets a message in each beat, also if nothing
 * has changed. While the database does not answer, watchers get none, so that they notice that they may miss changes.
 * Thread-safe.
 */
@Singleton
public final class ChangeFeed implements ChangeSource {
    /**
     * The longest time between two messages to a watcher. A watcher that gets none for three beats turns to another
     * control plane.
     */
    static final Duration BEAT = Duration.ofSeconds(1);

    private static final Duration CURRENT = BEAT.multipliedBy(3);

    private static final Logger LOG = System.getLogger(ChangeFeed.class.getName());

    private final PgNotifications notifications;
    private final ProbeDealer probes;
    private final Telling telling;
    private final ReentrantLock counting = new ReentrantLock();

    private @Nullable Repeating trials;
    private volatile boolean stopped;
    private volatile long told = System.nanoTime() - CURRENT.toNanos();

    ChangeFeed(ChangeReader changes, PgNotifications notifications, ProbeDealer probes, MeterRegistry meters) {
        ControlPlaneMetrics.CHANGES_UNREADABLE.counter(meters, changes, ChangeReader::unreadable);
        this.notifications = notifications;
        this.probes = probes;
        this.telling = new Telling(new Telling.Changes() {
            @Override
            public long last() {
                return changes.last();
            }

            @Override
            public List<Change> after(long id, int limit) {
                return changes.after(id, limit);
            }
        });
    }

    @Override
    public void onChange(Hearer hearer) {
        telling.add(hearer);
    }

    /** Whether all changes were sent, except those of the last three beats. */
    boolean isCurrent() {
        return System.nanoTime() - told < CURRENT.toNanos();
    }

    void start(@Observes StartupEvent started) {
        Thread.ofVirtual().name("feed").start(this::run);
        // Trials have a thread of their own: they take connections of admins, who may have them all.
        trials = Repeating.start("trials", BEAT, "no storage is tried", () -> probes.deal(telling::ready));
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped = true;
        if (trials != null) {
            trials.close();
        }
        notifications.close();
        telling.watchers().distinct().forEach(WatchStream::end);
    }

    /** Number of data planes that watch now. */
    int watchers() {
        return (int) telling.watchers().distinct().count();
    }

    /** Number of watchers that read: each message that was sent to them has gone out. */
    int readers() {
        return telling.ready().size();
    }

    /**
     * Adds a watcher that knows all changes up to a number.
     *
     * @param since the number; 0 for a watcher that knows none and begins with the present
     * @param most watchers that the watcher's cluster may have
     * @return false if the cluster has as many already; then the watcher is not added
     */
    boolean add(WatchStream watcher, long since, int most) {
        counting.lock();
        try {
            long there = telling.watchers()
                    .filter(other -> other.cluster().equals(watcher.cluster()) && !other.isGone())
                    .distinct()
                    .count();
            if (there >= most) {
                return false;
            }
            telling.add(watcher, since);
        } finally {
            counting.unlock();
        }
        notifications.wake();
        return true;
    }

    void remove(WatchStream watcher) {
        telling.remove(watcher);
    }

    private void run() {
        boolean away = false;
        while (!stopped) {
            try {
                notifications.await(BEAT);
                telling.tell();
                told = System.nanoTime();
                away = false;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                if (!away && !stopped) {
                    LOG.log(
                            Level.WARNING,
                            "watchers hear of no changes while the database does not answer: {0}",
                            reason(e));
                }
                away = true;
                notifications.pause(BEAT);
            }
        }
    }

    private static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
