package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Sends each change to receivers and watchers, in the order of the change log. One thread sends; any thread adds and
 * removes.
 */
final class Telling {
    /** The most missed changes that a watcher gets one by one; if it has missed more, it gets a reset. */
    static final int CATCH_UP = 10_000;

    private static final int BATCH = 1_000;

    /** The position before the change log was read for the first time. */
    private static final long NEVER = -1;

    private static final Logger LOG = System.getLogger(Telling.class.getName());

    /** The changes, as the database has them. */
    interface Changes {
        /** The number of the last change; 0 if there is none. */
        long last();

        /** The changes after a number, lowest first, at most {@code limit}. */
        List<Change> after(long id, int limit);
    }

    private final Changes changes;
    private final Set<WatchStream> watchers = ConcurrentHashMap.newKeySet();

    /** Watchers that begin with the next telling, and the last change that each has heard of. */
    private final Map<WatchStream, Long> newcomers = new ConcurrentHashMap<>();

    private final List<Hearing> hearers = new CopyOnWriteArrayList<>();
    private long last = NEVER;

    Telling(Changes changes) {
        this.changes = changes;
    }

    /** A receiver, and whether it has missed a change. Only the feed's thread uses it. */
    private static final class Hearing {
        private final ChangeSource.Hearer hearer;
        private boolean behind = true;

        Hearing(ChangeSource.Hearer hearer) {
            this.hearer = hearer;
        }

        void tell(List<Change> news, long last, boolean reset) {
            if (!behind && !reset && news.isEmpty()) {
                return;
            }
            boolean anew = behind || reset;
            behind = true;
            try {
                hearer.hear(news, last, anew);
                behind = false;
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "a receiver of changes failed, and is told of a reset", e);
            }
        }
    }

    void add(ChangeSource.Hearer hearer) {
        hearers.add(new Hearing(hearer));
    }

    /** All watchers, newcomers included. A watcher that has just begun may be there twice. */
    Stream<WatchStream> watchers() {
        return Stream.concat(newcomers.keySet().stream(), watchers.stream());
    }

    /** The watchers that can take more messages. */
    List<WatchStream> ready() {
        return watchers.stream().filter(WatchStream::isReady).toList();
    }

    /**
     * Adds a watcher that has heard of all changes up to a number. It begins with the next telling, so that watchers
     * that come and go cause no queries to the database.
     *
     * @param since 0 for a watcher that has heard of no change and begins with now
     */
    void add(WatchStream watcher, long since) {
        newcomers.put(watcher, since);
        if (watcher.isGone()) {
            // The watcher left before it was added.
            remove(watcher);
        }
    }

    void remove(WatchStream watcher) {
        newcomers.remove(watcher);
        watchers.remove(watcher);
    }

    /** @param now the last change, as it was read after the watcher came */
    private void begin(WatchStream watcher, long since, long now) {
        // The number is unsigned on the wire, so a negative one stands for 2^63 or more; no change has such a number.
        boolean tooLong = since < 0 || since > now || now - since > CATCH_UP;
        if (since == 0 || tooLong) {
            watcher.begin(now, since != 0);
        } else {
            watcher.begin(since, false);
        }
        watchers.add(watcher);
        newcomers.remove(watcher);
    }

    /**
     * Sends new changes. Receivers within this process come first, before any watcher, so that none of them misses a
     * change.
     */
    void tell() {
        List<Change> news;
        do {
            // The newcomers are copied before the changes are read, so that these include every change that another
            // control plane told a newcomer.
            Map<WatchStream, Long> beginning = Map.copyOf(newcomers);
            boolean reset = last == NEVER;
            news = reset ? List.of() : changes.after(last, BATCH);
            // A change that comes between the two queries is told with the next beat.
            long now = news.isEmpty()
                    ? back(reset ? Long.MAX_VALUE : last)
                    : news.getLast().id();
            if (news.size() < BATCH) {
                beginning.forEach((watcher, since) -> begin(watcher, since, now));
            }
            if (!reset && now < last) {
                // The database was restored to an earlier moment, so nobody knows which of the changes told since then
                // still hold.
                watchers.forEach(watcher -> watcher.begin(now, true));
                reset = true;
            }
            for (Hearing hearing : hearers) {
                hearing.tell(news, now, reset);
            }
            last = now;
            leave();
            tellWatchers(news);
        } while (news.size() == BATCH);
    }

    /**
     * Sends watchers the changes that they have not heard of. Changes that several watchers have missed are read once
     * for all of them. A watcher that is too far behind begins anew.
     */
    private void tellWatchers(List<Change> news) {
        long before = news.isEmpty() ? last : news.getFirst().id() - 1;
        long oldest = before;
        List<WatchStream> ready = ready();
        for (WatchStream watcher : ready) {
            if (last - watcher.heard() > CATCH_UP) {
                watcher.begin(last, true);
            }
            oldest = Math.min(oldest, watcher.heard());
        }
        List<Change> missed = oldest < before ? changes.after(oldest, CATCH_UP) : news;
        for (WatchStream watcher : ready) {
            tell(watcher, watcher.heard() < before ? missed : news, news.size() == BATCH);
        }
    }

    /** The smaller of a position and the number of the last change. */
    private long back(long position) {
        return Math.min(position, changes.last());
    }

    /**
     * Sends changes to one watcher. If that fails, the others still get them, and the watcher resumes where it stopped.
     */
    private void tell(WatchStream watcher, List<Change> unheard, boolean more) {
        try {
            watcher.tell(unheard, last, more);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "a data plane that watches could not be told, and has to ask again: {0}", e);
            watchers.remove(watcher);
            watcher.end();
        }
    }

    /** Removes watchers that must get nothing more. */
    private void leave() {
        watchers.removeIf(watcher -> {
            boolean revoked = !watcher.isGone() && watcher.isRevoked();
            if (revoked) {
                watcher.revoke();
            }
            return revoked || watcher.isGone();
        });
    }
}
