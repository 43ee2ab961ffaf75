package dev.kvstore.dataplane.storage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a store: whether it answered when it was last asked, and whether it last let a blob be replaced or
 * deleted, since a store that a policy holds answers all other calls. Thread-safe.
 */
public final class StoreCondition {
    private record FailingSince(StorageException.Kind kind, Instant since) {}

    private final InstantSource clock;
    private final AtomicReference<@Nullable FailingSince> failing = new AtomicReference<>();
    private final AtomicReference<@Nullable Instant> heldSince = new AtomicReference<>();

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

    /** A blob was replaced or deleted. */
    public void released() {
        if (heldSince.get() != null) {
            heldSince.set(null);
        }
    }

    /** Storage refused to replace or delete a blob, whoever asks: {@link StorageException.Kind#HELD}. */
    public void held() {
        heldSince.compareAndSet(null, clock.instant());
    }

    /**
     * The last failure and for how long it lasts, as a text; null if the last call succeeded, and storage holds no blob
     * that was to be replaced.
     */
    public @Nullable String flaw() {
        FailingSince now = failing.get();
        if (now != null) {
            return text(now.kind(), now.since());
        }
        Instant held = heldSince.get();
        return held == null ? null : text(StorageException.Kind.HELD, held);
    }

    private String text(StorageException.Kind kind, Instant since) {
        return kind.name().toLowerCase(Locale.ROOT) + " for "
                + Duration.between(since, clock.instant()).toSeconds() + " s";
    }
}
