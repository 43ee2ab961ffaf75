package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeReader;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/**
 * Tells watchers what has changed, whichever replica changed it: asks the database as soon as it says that there is
 * something, and once in {@link #BEAT} in any case. While the database does not answer, watchers hear nothing, so that
 * they do not take silence for peace. Thread-safe.
 */
@Singleton
public final class Feed {
    /** A watcher that hears nothing for three of these asks another replica. */
    static final Duration BEAT = Duration.ofSeconds(1);

    private static final Duration CURRENT = BEAT.multipliedBy(3);

    private static final Logger LOG = System.getLogger(Feed.class.getName());

    private final Listener listener;
    private final Telling telling;
    private volatile boolean stopped;
    private volatile long told = System.nanoTime() - CURRENT.toNanos();

    Feed(ChangeReader changes, Listener listener, ProbeDealer probes) {
        this.listener = listener;
        this.telling = new Telling(
                new Telling.Changes() {
                    @Override
                    public long last() {
                        return changes.last();
                    }

                    @Override
                    public List<Change> after(long id, int limit) {
                        return changes.after(id, limit);
                    }
                },
                probes::deal);
    }

    /** Who wants to hear of changes within this process, and must not wait for anything. */
    @FunctionalInterface
    public interface Hearer {
        /**
         * Is told. If it fails, what it was told now counts as not heard, and it is told of a reset next.
         *
         * @param news lowest first; may be empty
         * @param last the number of the last change there is; lower than before after a reset, if the database is of an earlier
         *     moment
         * @param reset what was heard before counts for nothing
         */
        void hear(List<Change> news, long last, boolean reset);
    }

    /** Has somebody told of all changes from the next beat on, which is a reset. */
    public void onChange(Hearer hearer) {
        telling.add(hearer);
    }

    /** Whether all changes were told but those of the last moment. */
    boolean isCurrent() {
        return System.nanoTime() - told < CURRENT.toNanos();
    }

    void start(@Observes StartupEvent started) {
        Thread.ofVirtual().name("feed").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped = true;
        listener.close();
        telling.watchers().forEach(Watcher::end);
    }

    /** How many watch now. */
    int watchers() {
        return telling.watchers().size();
    }

    /**
     * Begins to tell a watcher, who has heard of all changes up to a number.
     *
     * @param since 0 for who has heard of none and begins with now
     */
    void add(Watcher watcher, long since) {
        telling.add(watcher, since);
        listener.wake();
    }

    void remove(Watcher watcher) {
        telling.watchers().remove(watcher);
    }

    private void run() {
        boolean away = false;
        while (!stopped) {
            try {
                listener.await(BEAT);
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
                listener.pause(BEAT);
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
