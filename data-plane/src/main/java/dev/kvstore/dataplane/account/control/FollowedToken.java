package dev.kvstore.dataplane.account.control;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The join token that its file has now, so that a new token needs no restart. A token of the environment stays as it
 * is. A file that cannot be used leaves the earlier token in use. Thread-safe.
 */
public final class FollowedToken {
    private static final Logger LOG = System.getLogger(FollowedToken.class.getName());

    private final @Nullable Path file;
    private final Lock reading = new ReentrantLock();
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private final LongAdder renewals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile @Nullable JoinToken current;
    private @Nullable String flaw;

    private FollowedToken(@Nullable Path file, @Nullable JoinToken current) {
        this.file = file;
        this.current = current;
    }

    /**
     * The token in a file, or in the environment; none if it is in neither.
     *
     * @throws IllegalArgumentException if it is in both, or the text is no token
     */
    public static FollowedToken of(Optional<Path> file, Map<String, String> environment) {
        return new FollowedToken(
                file.orElse(null), JoinToken.read(file, environment).orElse(null));
    }

    /** A token that never changes; null for none. */
    public static FollowedToken fixed(@Nullable JoinToken token) {
        return new FollowedToken(null, token);
    }

    /** The token in use; null for none. */
    public @Nullable JoinToken current() {
        return current;
    }

    /** Whether there is a file to be looked at. */
    public boolean isFollowed() {
        return file != null;
    }

    /** Runs an action, which must not wait, whenever a new token is put to use. */
    public void whenRenewed(Runnable follower) {
        followers.add(follower);
    }

    /** Looks whether the file has another token. A flaw of the file is logged once, until the flaw is another. */
    public void poll() {
        Path from = file;
        if (from == null) {
            return;
        }
        reading.lock();
        try {
            read(from);
        } finally {
            reading.unlock();
        }
    }

    private void read(Path from) {
        try {
            JoinToken read = JoinToken.read(Optional.of(from), Map.of()).orElseThrow();
            flaw = null;
            if (!read.equals(current)) {
                current = read;
                renewals.increment();
                followers.forEach(Runnable::run);
                LOG.log(Level.INFO, "calls to the control plane use the new join token of {0}", from);
            }
        } catch (IllegalArgumentException e) {
            String said = String.valueOf(e.getMessage());
            if (!said.equals(flaw)) {
                failures.increment();
                LOG.log(Level.ERROR, "{0}. Calls to the control plane keep using the previous join token", said);
            }
            flaw = said;
        }
    }

    /** How often a new token was put to use. */
    public long renewals() {
        return renewals.sum();
    }

    /** How often a changed file could not be used. */
    public long failures() {
        return failures.sum();
    }
}
