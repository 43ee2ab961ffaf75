package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that a partition's files and this process say are stored. It is replaced as a whole, so a question finds a
 * key either in the snapshot or among the recent keys. Thread-safe.
 *
 * @param view the files as they were last read; null before the first time
 * @param recent keys that the view's snapshot lacks: stored by this process, or in a log. Keys are only added
 */
record Documented(@Nullable View view, KeySet recent) {
    private static final Snapshot NOTHING = Snapshot.empty(0);

    Snapshot snapshot() {
        return view == null ? NOTHING : view.snapshot();
    }

    boolean contains(long key) {
        return recent.contains(key) || snapshot().mightContain(key);
    }

    /** Whether a block that is not here may be stored all the same. */
    boolean mayLack(long now) {
        return view == null || !view.isTrusted(now);
    }

    /** Approximate heap of this object, in bytes. */
    long bytes() {
        return recent.bytes() + snapshot().heapBytes();
    }
}
