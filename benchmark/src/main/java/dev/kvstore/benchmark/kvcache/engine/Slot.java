package dev.kvstore.benchmark.kvcache.engine;

import java.util.Locale;

/** The three places of the original's waterfall, from the fastest; figures are counted for each. */
public enum Slot {
    GPU(0),
    CPU(1),
    STORAGE(2);

    private final int level;

    Slot(int level) {
        this.level = level;
    }

    /** 0 for the fastest: the number of its tier in the original's traces. */
    public int level() {
        return level;
    }

    /** The slot's name in the JSON, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
