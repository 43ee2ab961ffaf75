package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeLog;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells watchers what has changed, whichever replica changed it: asks the database as soon as it says that there is
 * something, and once in {@link #BEAT} in any case. While the database does not answer, watchers hear nothing, so that
 * they do not take silence for peace. Thread-safe.
 */
@Singleton
public final class Feed {
    /** A watcher that hears nothing for three of these asks another replica. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /** How many changes a watcher may have missed and be told one by one. */
    private static final int CATCH_UP = 10_000;

    private static final int BATCH = 1_000;
    private static final Logger LOG = System.getLogger(Feed.class.getName());

    private final ChangeLog changes;
    private final Listener listener;
    private final ProbeDealer probes;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private final List<Hearer> hearers = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;
    private long last;

    Feed(ChangeLog changes, Listener listener, ProbeDealer probes) {
        this.changes = changes;
        this.listener = listener;
        this.probes = probes;
    }

    /** Who wants to hear of changes within this process, and must not wait for anything. */
    @FunctionalInterface
    public interface Hearer {
        /**
         * Is told.
         *
         * @param news lowest first; may be empty
         * @param reset what was heard before counts for nothing
         */
        void hear(List<Change> news, boolean reset);
    }

    /** Has somebody told of all changes from the first beat on, which is a reset. */
    public void onChange(Hearer hearer) {
        hearers.add(hearer);
    }

    void start(@Observes StartupEvent started) {
        Thread.ofVirtual().name("feed").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped = true;
        listener.close();
        watchers.forEach(Watcher::end);
    }

    /** How many watch now. */
    int watchers() {
        return watchers.size();
    }

    /**
     * Begins to tell a watcher, who has heard of all changes up to a number.
     *
     * @param since 0 for who has heard of none and begins with now
     */
    void add(Watcher watcher, long since) {
        long now = changes.last();
        // On the wire it has no sign; none that large was ever told.
        boolean tooLong = since < 0 || since > now || now - since > CATCH_UP;
        if (since == 0 || tooLong) {
            watcher.begin(now, since != 0);
        } else {
            watcher.begin(since, false);
        }
        watchers.add(watcher);
        if (watcher.isGone()) {
            // It left before it came in.
            watchers.remove(watcher);
        }
        listener.wake();
    }

    void remove(Watcher watcher) {
        watchers.remove(watcher);
    }

    private void run() {
        boolean away = false;
        while (!stopped) {
            try {
                listener.await(BEAT);
                tell();
                away = false;
            } catch (RuntimeException e) {
                if (!away && !stopped) {
                    LOG.log(
                            Level.WARNING,
                            "watchers are told nothing while the database does not answer: {0}",
                            reason(e));
                }
                away = true;
                listener.pause(BEAT);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static String reason(RuntimeException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    private void tell() {
        List<Change> news = List.of();
        do {
            boolean reset = last == 0;
            news = last == 0 ? List.of() : changes.after(last, BATCH);
            if (news.isEmpty()) {
                long now = changes.last();
                if (now < last) {
                    // The database is of an earlier moment: of what was told since, nobody knows what has become.
                    watchers.forEach(watcher -> watcher.begin(now, true));
                    reset = true;
                }
                last = now;
            } else {
                last = news.getLast().id();
            }
            for (Watcher watcher : watchers) {
                tell(watcher, news);
            }
            tellHearers(news, reset);
        } while (news.size() == BATCH);
        probes.deal(watchers.stream().filter(Watcher::isReady).toList());
    }

    private void tellHearers(List<Change> news, boolean reset) {
        if (reset || !news.isEmpty()) {
            hearers.forEach(hearer -> hearer.hear(news, reset));
        }
    }

    private void tell(Watcher watcher, List<Change> news) {
        if (watcher.isGone()) {
            watchers.remove(watcher);
            return;
        }
        if (!watcher.isReady()) {
            return;
        }
        List<Change> missed = news;
        long first = news.isEmpty() ? last + 1 : news.getFirst().id();
        if (watcher.heard() < first - 1) {
            missed = changes.after(watcher.heard(), CATCH_UP);
        }
        watcher.tell(missed, last);
    }
}
