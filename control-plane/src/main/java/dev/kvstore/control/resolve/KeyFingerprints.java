package dev.kvstore.control.resolve;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A set of fingerprints that grows: 8 bytes each, and some 60 for each fingerprint that was added later. One thread
 * adds; anybody asks.
 */
final class KeyFingerprints {
    /** After this many late ones, they are merged into the others. */
    private static final int LATE = 50_000;

    /** Sorted; an element is not changed once it is here. */
    private volatile long[] sorted;

    private volatile Set<Long> late = ConcurrentHashMap.newKeySet();

    KeyFingerprints(long[] all) {
        long[] copy = all.clone();
        Arrays.sort(copy);
        this.sorted = copy;
    }

    boolean has(long fingerprint) {
        // In this order: what leaves the late ones is among the sorted by then.
        return late.contains(fingerprint) || Arrays.binarySearch(sorted, fingerprint) >= 0;
    }

    int size() {
        return sorted.length + late.size();
    }

    void add(long fingerprint) {
        late.add(fingerprint);
        if (late.size() >= LATE) {
            int before = sorted.length;
            long[] all = Arrays.copyOf(sorted, before + late.size());
            int end = before;
            for (long one : late) {
                all[end++] = one;
            }
            Arrays.sort(all);
            sorted = all;
            late = ConcurrentHashMap.newKeySet();
        }
    }
}
