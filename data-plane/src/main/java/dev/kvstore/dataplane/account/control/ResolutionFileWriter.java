package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the file of answers up to date: new answers within {@link #PAUSE}, revoked ones and a new key at once. If the
 * file cannot be written, that is logged and tried again; nothing else depends on the file. Thread-safe.
 */
final class ResolutionFileWriter {
    private static final Logger LOG = System.getLogger(ResolutionFileWriter.class.getName());

    /** How old the time of confirmation in the file may grow while nothing else changes. */
    static final Duration STALE = Duration.ofSeconds(60);

    /** How long new answers are gathered before they are written, since the file is written whole and made durable. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private static final long NEVER = -1;

    private final ResolutionCache resolutions;
    private final @Nullable AnswersFile file;
    private final Ticker ticker;
    // The lock is held around snapshot and writing together, so that no older snapshot is written last.
    private final Lock writing = new ReentrantLock();
    private long savedRevision;
    private long savedWithdrawals;
    private @Nullable ClockMoment savedConfirmed;
    private Set<ResolutionSubject> saved = Set.of();
    private long savedAt;
    private boolean failing;
    private boolean overflowing;

    ResolutionFileWriter(ResolutionCache resolutions, @Nullable AnswersFile file, Ticker ticker) {
        this.resolutions = resolutions;
        this.file = file;
        this.ticker = ticker;
        this.savedAt = ticker.read() - PAUSE.toNanos();
    }

    /** Loads the answers of the file. A file that cannot be used is ignored. */
    void load(ClockMoment now) {
        if (file == null) {
            return;
        }
        try {
            file.load(now).ifPresent(snapshot -> {
                resolutions.restore(snapshot);
                saved = snapshot.granted().keySet();
                savedConfirmed = snapshot.confirmed();
            });
        } catch (IOException e) {
            savedRevision = NEVER;
            LOG.log(Level.ERROR, "{0} {1}; it is ignored, and written anew", file.path(), e.getMessage());
        }
    }

    /** Writes the file if enough has changed. To be called once a second. */
    void tick() {
        locked(() -> {
            boolean changed = resolutions.revision() != savedRevision;
            boolean withdrawn = resolutions.withdrawals() != savedWithdrawals;
            if (withdrawn || isStale() || isUnderOldKey() || (changed && ticker.read() - savedAt >= PAUSE.toNanos())) {
                boolean _ = save();
            }
        });
    }

    /** Whether the file is authenticated by a replaced key, so that a restart could not use it. */
    private boolean isUnderOldKey() {
        return file != null && file.isUnderOldKey();
    }

    private boolean isStale() {
        ClockMoment confirmed = resolutions.confirmed();
        return confirmed != null
                && (savedConfirmed == null || confirmed.since(savedConfirmed).compareTo(STALE) > 0);
    }

    /** Writes the file at the end of the process. */
    void close() {
        locked(() -> {
            boolean _ = save();
        });
    }

    /** Removes forgotten answers from the file, if it has any of them, before anything else happens. */
    void forgotten(Predicate<ResolutionSubject> of) {
        locked(() -> {
            if (saved.stream().anyMatch(of) && !save()) {
                delete();
            }
        });
    }

    /** Writes the file; false if that failed. */
    private boolean save() {
        AnswersFile to = file;
        if (to == null) {
            return true;
        }
        long revision = resolutions.revision();
        long withdrawals = resolutions.withdrawals();
        ResolutionCache.ResolutionSnapshot snapshot = resolutions.snapshot();
        savedAt = ticker.read();
        try {
            int left = to.save(snapshot);
            if (left > 0 && !overflowing) {
                LOG.log(Level.ERROR, "{0} has no room for {1} answers; a restart forgets them", to.path(), left);
            }
            overflowing = left > 0;
            saved = snapshot.granted().keySet();
            savedRevision = revision;
            savedWithdrawals = withdrawals;
            savedConfirmed = snapshot.confirmed();
            failing = false;
            return true;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.log(Level.ERROR, "{0} cannot be written, and will be tried again: {1}", to.path(), e.toString());
            }
            return false;
        }
    }

    private void delete() {
        AnswersFile of = file;
        if (of == null) {
            return;
        }
        try {
            of.delete();
            saved = Set.of();
            savedRevision = NEVER;
        } catch (IOException e) {
            LOG.log(Level.ERROR, "{0} holds revoked answers: it can be neither written nor removed", of.path());
        }
    }

    private void locked(Runnable work) {
        writing.lock();
        try {
            work.run();
        } finally {
            writing.unlock();
        }
    }
}
