package dev.kvstore.dataplane.account.control;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the file in step with what is known: new answers within a second, forgotten ones at once. A file that cannot be
 * written is told of and tried again; nothing else depends on it. Thread-safe.
 */
final class Keeper {
    private static final Logger LOG = System.getLogger(Keeper.class.getName());

    /** How old the time of confirmation in the file may grow while nothing else changes. */
    static final Duration STALE = Duration.ofSeconds(60);

    private static final long NEVER = -1;

    private final Answers answers;
    private final @Nullable AnswersFile file;
    // Around snapshot and writing together, so that no older one is written last.
    private final Lock writing = new ReentrantLock();
    private long savedRevision;
    private Instant savedConfirmed = Instant.EPOCH;
    private boolean failing;

    Keeper(Answers answers, @Nullable AnswersFile file) {
        this.answers = answers;
        this.file = file;
    }

    /** Takes up what the file holds. One that cannot be used is as good as none. */
    void load(Instant now) {
        if (file == null) {
            return;
        }
        try {
            file.load().ifPresent(snapshot -> {
                // By a clock that was set back meanwhile, it would serve for longer than a day.
                Instant confirmed = snapshot.confirmed().isAfter(now) ? now : snapshot.confirmed();
                answers.restore(new Answers.Snapshot(snapshot.heard(), confirmed, snapshot.granted()));
            });
        } catch (IOException e) {
            savedRevision = NEVER;
            LOG.log(Level.ERROR, "{0} {1}; it is ignored, and written anew", file.path(), e.getMessage());
        }
    }

    /** Writes the file if that is worth it; once a second. What is thrown here would end that in silence. */
    void beat() {
        try {
            tick();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "answers of the control plane could not be kept, and will be again", e);
        }
    }

    /** As above, and throws. */
    void tick() {
        locked(() -> {
            if (answers.revision() != savedRevision || answers.confirmed().isAfter(savedConfirmed.plus(STALE))) {
                boolean _ = save();
            }
        });
    }

    /** Writes the file at the end of the process. */
    void close() {
        locked(() -> {
            boolean _ = save();
        });
    }

    /**
     * Has the file forget what was forgotten before anything else happens.
     *
     * @param known whether that was known here; if not, it may still be in a file that is behind
     */
    void forgotten(boolean known) {
        locked(() -> {
            if ((known || answers.revision() != savedRevision) && !save()) {
                delete();
            }
        });
    }

    /** False if it could not be written. */
    private boolean save() {
        AnswersFile to = file;
        if (to == null) {
            return true;
        }
        long revision = answers.revision();
        Answers.Snapshot snapshot = answers.snapshot();
        try {
            to.save(snapshot);
            savedRevision = revision;
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
        } catch (IOException e) {
            LOG.log(Level.ERROR, "{0} holds what was revoked: it can be neither written nor removed", of.path());
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
