package dev.kvstore.benchmark.kvcache.engine;

import java.util.Locale;

/** The three places of the original's waterfall, from the fastest; figures are counted for each. */
public enum Slot {
    GPU,
    CPU,
    STORAGE;

    /** As the JSON has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
