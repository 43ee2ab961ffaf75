package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts fingerprints into parts, and stores each as soon as it is full, so it holds a single part at most. Its
 * fingerprints may come from a tenant's files. For one thread at a time.
 */
final class PartWriter {
    /** Stores a part that is not in storage yet. */
    @FunctionalInterface
    interface Shelf {
        /** @param ascending fingerprints, of which the first {@code count} are the part's */
        SnapshotPart put(long[] ascending, int count) throws StorageException, UnreadableException;
    }

    private static final int LEAST_ROOM = 4096;

    private final Shelf shelf;
    private final HeapLimit.HeapReservation heap;
    private final List<SnapshotPart> parts = new ArrayList<>();
    private long[] pending = new long[LEAST_ROOM];
    private int count;
    private long last = -1;

    /** @param heap is charged for the fingerprints that the writer holds */
    PartWriter(Shelf shelf, HeapLimit.HeapReservation heap) {
        this.shelf = shelf;
        this.heap = heap;
    }

    /** Whether {@link #cut} must come before more is added. */
    boolean isFull() {
        return count == Fingerprints.MAX_SIZE;
    }

    /** Adds a fingerprint, no less than the one before. */
    void add(long fingerprint) throws UnreadableException {
        if (fingerprint == last) {
            return;
        }
        if (fingerprint < last || fingerprint >>> Fingerprint.BITS != 0) {
            throw UnreadableException.beyondLimits("fingerprints are out of order");
        }
        if (count == pending.length) {
            int room = Math.min(2 * count, Fingerprints.MAX_SIZE);
            heap.take((long) room * Long.BYTES);
            pending = Arrays.copyOf(pending, room);
        }
        pending[count++] = fingerprint;
        last = fingerprint;
    }

    /** Stores the fingerprints that were added since the last part as a part. */
    void cut() throws StorageException, UnreadableException {
        parts.add(shelf.put(pending, count));
        count = 0;
    }

    /** Returns the run of the fingerprints that were added; an empty list if there were none. */
    List<FingerprintRun> finish() throws StorageException, UnreadableException {
        if (count > 0) {
            cut();
        }
        return parts.isEmpty() ? List.of() : List.of(new FingerprintRun(parts));
    }
}
