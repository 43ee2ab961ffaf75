package dev.kvstore.benchmark.sweep;

/** Told of a window as it passes. */
interface Moments {
    /** It begins. */
    void begun();

    /** It has ended, which calls that are under way have not. */
    void ended();
}
