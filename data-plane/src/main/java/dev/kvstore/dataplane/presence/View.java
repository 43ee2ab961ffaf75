package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.Version;
import org.jspecify.annotations.Nullable;

/**
 * What storage said of a partition at one moment.
 *
 * @param stored the snapshot in storage, null if there is none
 * @param complete whether a block that is unknown here was not stored
 * @param asOf the moment, by the ticker
 * @param provenUntil when completeness begins to be doubtful; never, if the maximum
 * @param limited whether files were not read because they go beyond limits
 */
record View(@Nullable Version<Snapshot> stored, boolean complete, long asOf, long provenUntil, boolean limited) {
    private static final Snapshot NOTHING = Snapshot.empty(0);

    /** One that denies nothing. */
    View(@Nullable Version<Snapshot> stored, long asOf) {
        this(stored, false, asOf, Long.MAX_VALUE, false);
    }

    Snapshot snapshot() {
        return stored == null ? NOTHING : stored.content();
    }

    boolean isTrusted(long now) {
        return complete && !limited && (provenUntil == Long.MAX_VALUE || provenUntil - now > 0);
    }
}
