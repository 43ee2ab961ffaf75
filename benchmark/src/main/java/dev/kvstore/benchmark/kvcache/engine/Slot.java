package dev.kvstore.benchmark.kvcache.engine;

import java.util.Locale;

/** The three places of the original's waterfall, from the fastest; figures are counted for each. */
public enum Slot {
    GPU,
    CPU,
    STORAGE;

    /** The slot's name in the JSON, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
