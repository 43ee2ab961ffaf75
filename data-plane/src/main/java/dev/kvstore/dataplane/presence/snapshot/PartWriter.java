package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts fingerprints into parts, and stores each as soon as it is full: all it holds is one that is not. For one thread. */
final class PartWriter {
    /** Stores a part that is not in storage yet. */
    @FunctionalInterface
    interface Shelf {
        Part put(Fingerprints fingerprints) throws StorageException;
    }

    private static final int LEAST_ROOM = 4096;

    private final Shelf shelf;
    private final List<Part> parts = new ArrayList<>();
    private long[] pending = new long[LEAST_ROOM];
    private int count;
    private long last = -1;

    PartWriter(Shelf shelf) {
        this.shelf = shelf;
    }

    /** Adds a fingerprint, no less than the one before. */
    void add(long fingerprint) throws StorageException {
        if (fingerprint < last) {
            throw new IllegalStateException("fingerprints come in ascending order");
        }
        if (fingerprint == last) {
            return;
        }
        if (count == Fingerprints.MAX_SIZE) {
            cut();
        } else if (count == pending.length) {
            pending = Arrays.copyOf(pending, Math.min(2 * count, Fingerprints.MAX_SIZE));
        }
        pending[count++] = fingerprint;
        last = fingerprint;
    }

    private void cut() throws StorageException {
        parts.add(shelf.put(Fingerprints.of(pending, count)));
        count = 0;
    }

    /** What was added: a run, or none. */
    List<Run> finish() throws StorageException {
        if (count > 0) {
            cut();
        }
        return parts.isEmpty() ? List.of() : List.of(new Run(parts));
    }
}
