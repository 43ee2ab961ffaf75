package dev.kvstore.benchmark.kvcache.tier;

import java.util.Locale;

/** The tier that a new entry goes to, and whether other entries leave that tier for it. */
public enum Tiering {
    /**
     * The original's rule of December 2025: an entry goes to the first tier that can make room for it by demoting the
     * least recently used entries.
     */
    WATERFALL,

    /**
     * The original's rule of November 2025: an entry goes to the first tier that has room, else to the last; no entry
     * is ever demoted. A full last tier deletes its least recently used entries; the original's had no limit then.
     */
    SPILLOVER;

    /** The rule's name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
