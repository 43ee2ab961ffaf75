package dev.kvstore.control.resolve;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A set of fingerprints that grows: 8 bytes for each of the first, and some 60 for each one that is added later. One
 * thread adds; any thread asks.
 */
final class KeyFingerprints {
    /** The number of late fingerprints at which they are merged into the sorted ones. */
    private static final int LATE = 50_000;

    /** The sorted fingerprints; an element of this array is never changed. */
    private volatile long[] sorted;

    private volatile Set<Long> late = ConcurrentHashMap.newKeySet();

    KeyFingerprints(long[] all) {
        long[] copy = all.clone();
        Arrays.sort(copy);
        this.sorted = copy;
    }

    boolean has(long fingerprint) {
        // The order matters: a fingerprint that leaves the late ones is among the sorted ones by then.
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
