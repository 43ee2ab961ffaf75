package dev.kvstore.dataplane.tier.disk;

import java.util.Locale;

/**
 * How a disk tier is.
 *
 * @param reason for people: why it is so, or how files are read and written
 */
public record DiskState(Condition condition, String reason) {
    /** In one word. */
    public enum Condition {
        /** No disk is configured. */
        NONE,
        /** It reads what an earlier process left; blocks come from storage meanwhile. */
        LOADING,
        /** It serves and keeps blocks. */
        WORKING,
        /** It failed again and again, and is left alone for a while. */
        PAUSED,
        /** It cannot be opened; that is tried again from time to time. */
        UNUSABLE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
