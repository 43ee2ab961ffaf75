package dev.kvstore.dataplane.storage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether a store answered when it was last asked. Thread-safe. */
public final class StoreCondition {
    private record Failing(StorageException.Kind kind, Instant since) {}

    private final InstantSource clock;
    private final AtomicReference<@Nullable Failing> failing = new AtomicReference<>();

    /** Of a store that has not been asked. */
    public StoreCondition(InstantSource clock) {
        this.clock = clock;
    }

    /** It did what it was asked for. */
    public void succeeded() {
        if (failing.get() != null) {
            failing.set(null);
        }
    }

    /** It did not. */
    public void failed(StorageException.Kind kind) {
        failing.updateAndGet(before -> new Failing(kind, before == null ? clock.instant() : before.since()));
    }

    /** What is wrong and for how long, for people; null if nothing is known to be. */
    public @Nullable String flaw() {
        Failing now = failing.get();
        return now == null
                ? null
                : now.kind().name().toLowerCase(Locale.ROOT) + " for "
                        + Duration.between(now.since(), clock.instant()).toSeconds() + " s";
    }
}
