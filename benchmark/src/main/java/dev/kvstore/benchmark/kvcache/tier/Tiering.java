package dev.kvstore.benchmark.kvcache.tier;

import java.util.Locale;

/** The tier that a new entry goes to, and whether other entries leave that tier for it. */
public enum Tiering {
    /**
     * As of December 2025: to the first tier that can make room for it, by demoting the least recently used entries.
     */
    WATERFALL,

    /**
     * As of November 2025: to the first tier that has room, else to the last; nothing is ever demoted. The last tier
     * deletes the least recently used entries when it is full; the original's last tier had no limit then.
     */
    SPILLOVER;

    /** As the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
