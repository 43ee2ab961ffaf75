package dev.kvstore.dataplane.presence.snapshot;

/** Keys that are asked about together, so that memory is waited for once and not once per key. For one thread. */
public final class Questions {
    /** Most keys. */
    public static final int MAX = 64;

    private final long[] keys = new long[MAX];
    private final int[] sets = new int[MAX];
    private final int[] before = new int[MAX];
    private final long[] near = new long[MAX];
    private int count;

    /** The next question instead of those before. */
    public void clear() {
        count = 0;
    }

    /** One more key; at most {@link #MAX}. */
    public void add(long key) {
        keys[count++] = key;
    }

    public int count() {
        return count;
    }

    /** As many as {@link #count}, and more that mean nothing. */
    long[] keys() {
        return keys;
    }

    /** Room for what is found on the way to the answers: for each key, the set it would be in ... */
    int[] sets() {
        return sets;
    }

    /** ... how many are before it ... */
    int[] before() {
        return before;
    }

    /** ... and what is read to have it near. */
    long[] near() {
        return near;
    }
}
