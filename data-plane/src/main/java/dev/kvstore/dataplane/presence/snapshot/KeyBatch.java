package dev.kvstore.dataplane.presence.snapshot;

/** Keys that are asked about together, so that memory is waited for once and not once per key. For one thread. */
public final class KeyBatch {
    /** Most keys of a batch. */
    public static final int MAX = 64;

    private final long[] fingerprints = new long[MAX];
    private final int[] sets = new int[MAX];
    private final int[] begins = new int[MAX];
    private final int[] counts = new int[MAX];
    private final int[] lows = new int[MAX];
    private final long[] fetched = new long[MAX];
    private int size;

    /** Forgets the keys of the batch before. */
    public void clear() {
        size = 0;
    }

    /** Adds a key; a batch has {@link #MAX} at most. */
    public void add(long key) {
        fingerprints[size++] = Fingerprint.of(key);
    }

    public int size() {
        return size;
    }

    long fingerprint(int question) {
        return fingerprints[question];
    }

    /**
     * Notes where the answer to a question is: the set of its run, the bucket's first bit, the bucket's number of
     * fingerprints, and about where the low bits are.
     */
    void locate(int question, int set, int begin, int count, int low) {
        sets[question] = set;
        begins[question] = begin;
        counts[question] = count;
        lows[question] = low;
    }

    int set(int question) {
        return sets[question];
    }

    int begin(int question) {
        return begins[question];
    }

    int count(int question) {
        return counts[question];
    }

    int lows(int question) {
        return lows[question];
    }

    /** Keeps the words that were read; otherwise the compiler would not read them. */
    void fetched(int question, long bits) {
        fetched[question] = bits;
    }
}
