package dev.kvstore.dataplane.account;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A storage account of a tenant, under the name that requests use.
 *
 * @param resourceName what requests say
 * @param tenant who owns it
 * @param storage where its blobs are
 * @param limits what it may take of this process
 * @param readThrough where else its blocks may be; null if nowhere
 */
public record Account(
        String resourceName,
        String tenant,
        StorageLocation storage,
        Limits limits,
        @Nullable ReadThrough readThrough) {
    /** An account that may take as much as there is, and whose blocks are in one storage. */
    public Account(String resourceName, String tenant, StorageLocation storage) {
        this(resourceName, tenant, storage, Limits.NONE, null);
    }

    /**
     * The account's storage in another region, which may have what this one has not.
     *
     * @param region its name
     * @param storage another than the account's own here
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
     * What an account may take of one data plane.
     *
     * @param operations calls that move blocks, served at a time; 0 for as many as there is room for
     * @param bytesPerSecond of blocks read and written together; 0 for as many as can be moved
     */
    public record Limits(int operations, long bytesPerSecond) {
        /** As much as there is. */
        public static final Limits NONE = new Limits(0, 0);

        public Limits {
            if (operations < 0 || bytesPerSecond < 0) {
                throw new IllegalArgumentException("limits: must not be negative");
            }
        }
    }
}
