package dev.kvstore.dataplane.storage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether a store answered when it was last asked. Thread-safe. */
public final class StoreCondition {
    private record FailingSince(StorageException.Kind kind, Instant since) {}

    private final InstantSource clock;
    private final AtomicReference<@Nullable FailingSince> failing = new AtomicReference<>();

    /** The condition of a store that has not been called. */
    public StoreCondition(InstantSource clock) {
        this.clock = clock;
    }

    /** A call succeeded. */
    public void succeeded() {
        if (failing.get() != null) {
            failing.set(null);
        }
    }

    /** A call failed. */
    public void failed(StorageException.Kind kind) {
        failing.updateAndGet(before -> new FailingSince(kind, before == null ? clock.instant() : before.since()));
    }

    /** The last failure and for how long it lasts, as a text; null if the last call succeeded. */
    public @Nullable String flaw() {
        FailingSince now = failing.get();
        return now == null
                ? null
                : now.kind().name().toLowerCase(Locale.ROOT) + " for "
                        + Duration.between(now.since(), clock.instant()).toSeconds() + " s";
    }
}
