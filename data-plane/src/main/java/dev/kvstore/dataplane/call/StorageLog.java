package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells an operator of failures of storage, at most once per resource and kind in {@link #SILENCE}: a storage that is
 * down fails every call. Failures that callers see are errors; a storage that asks for fewer requests is a warning.
 * Keeps one entry per resource and kind of failure, for resources that failed lately. Thread-safe.
 */
final class StorageLog {
    static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int MOST = 10_000;

    /** Receives the lines. */
    @FunctionalInterface
    interface Sink {
        void log(Level level, String line);
    }

    private record LogSubject(String resourceName, StorageException.Kind kind) {}

    /** When a line was written, and how many failures since were not. */
    private record LoggedFailure(Instant at, long since) {}

    private final InstantSource clock;
    private final Sink sink;
    private final ConcurrentMap<LogSubject, LoggedFailure> told = Caffeine.newBuilder()
            .maximumSize(MOST)
            .executor(Runnable::run)
            .<LogSubject, LoggedFailure>build()
            .asMap();

    StorageLog(InstantSource clock, Sink sink) {
        this.clock = clock;
        this.sink = sink;
    }

    void failed(String resourceName, StorageException e) {
        Instant now = clock.instant();
        LogSubject subject = new LogSubject(resourceName, e.kind());
        while (true) {
            LoggedFailure last = told.get(subject);
            if (last != null && now.isBefore(last.at().plus(SILENCE))) {
                if (told.replace(subject, last, new LoggedFailure(last.at(), last.since() + 1))) {
                    return;
                }
            } else if (tell(subject, last, now)) {
                sink.log(level(e.kind()), line(resourceName, e, last));
                return;
            }
        }
    }

    /** False if another thread was first. */
    private boolean tell(LogSubject subject, @Nullable LoggedFailure last, Instant now) {
        LoggedFailure next = new LoggedFailure(now, 0);
        return last == null ? told.putIfAbsent(subject, next) == null : told.replace(subject, last, next);
    }

    private static Level level(StorageException.Kind kind) {
        return switch (kind) {
            case UNAVAILABLE, FORBIDDEN, MISSING, FULL, HELD -> Level.ERROR;
            case THROTTLED -> Level.WARNING;
        };
    }

    private static String line(String resourceName, StorageException e, @Nullable LoggedFailure last) {
        String line = "storage of " + resourceName + ": " + e.kind() + ": " + e.getMessage();
        return last == null || last.since() == 0
                ? line
                : line + " (and " + last.since() + " more such failures since " + last.at() + ")";
    }
}
