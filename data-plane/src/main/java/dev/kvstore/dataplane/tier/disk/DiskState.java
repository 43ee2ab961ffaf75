package dev.kvstore.dataplane.tier.disk;

import java.util.Locale;

/**
 * The state of the disk tier.
 *
 * @param reason why the tier is in this state, or how files are read and written; for health checks and logs
 */
public record DiskState(Condition condition, String reason) {
    /** The condition of the tier. */
    public enum Condition {
        /** No disk is configured. */
        NONE,
        /** The tier reads the blocks that an earlier process left; blocks come from storage meanwhile. */
        LOADING,
        /** The tier serves and keeps blocks. */
        WORKING,
        /** The tier failed several times in a row, and is not used for 30 s. */
        PAUSED,
        /** The tier cannot be opened; that is tried again from time to time. */
        UNUSABLE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
