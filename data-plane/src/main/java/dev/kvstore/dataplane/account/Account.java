package dev.kvstore.dataplane.account;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A storage account of a tenant, under the name that requests use.
 *
 * @param resourceName the name that requests use
 * @param tenant the owner
 * @param storage where its blobs are
 * @param limits its limits at this data plane
 * @param readThrough its storage in another region that is read through; null if there is none
 */
public record Account(
        String resourceName,
        String tenant,
        StorageLocation storage,
        Limits limits,
        @Nullable ReadThrough readThrough) {
    /** An account without limits, whose blocks are in one storage. */
    public Account(String resourceName, String tenant, StorageLocation storage) {
        this(resourceName, tenant, storage, Limits.NONE, null);
    }

    /**
     * The account's storage in another region, which may have blocks that the storage here lacks.
     *
     * @param region the region's name
     * @param storage not the account's storage here
     * @param within most time that a call may wait for it
     */
    public record ReadThrough(String region, StorageLocation storage, Duration within) {
        public ReadThrough {
            if (!within.isPositive()) {
                throw new IllegalArgumentException("read_through.within: must be positive");
            }
        }
    }

    /**
     * The limits of an account at one data plane.
     *
     * @param operations calls that move blocks, served at a time; 0 for no limit
     * @param bytesPerSecond of blocks read and written together; 0 for no limit
     */
    public record Limits(int operations, long bytesPerSecond) {
        /** No limits. */
        public static final Limits NONE = new Limits(0, 0);

        public Limits {
            if (operations < 0 || bytesPerSecond < 0) {
                throw new IllegalArgumentException("limits: must not be negative");
            }
        }
    }
}
