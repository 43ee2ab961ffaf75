package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import org.jspecify.annotations.Nullable;

/**
 * A partition's presence files as storage had them at one moment.
 *
 * @param stored the snapshot in storage, null if there is none
 * @param complete whether a block that neither snapshot nor logs have was not stored
 * @param asOf the moment, by the ticker
 * @param provenUntil until when it is certain that no log lacks a block; the maximum for ever
 * @param limited whether files beyond limits were not read
 */
record View(
        @Nullable SnapshotVersion<Snapshot> stored, boolean complete, long asOf, long provenUntil, boolean limited) {
    private static final Snapshot NOTHING = Snapshot.empty(0);

    /** A view that denies nothing. */
    View(@Nullable SnapshotVersion<Snapshot> stored, long asOf) {
        this(stored, false, asOf, Long.MAX_VALUE, false);
    }

    Snapshot snapshot() {
        return stored == null ? NOTHING : stored.content();
    }

    boolean isTrusted(long now) {
        return complete && !limited && (provenUntil == Long.MAX_VALUE || provenUntil - now > 0);
    }
}
