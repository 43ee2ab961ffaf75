package dev.kvstore.dataplane.account;

/**
 * A storage account of a tenant, under the name that requests use.
 *
 * @param resourceName what requests say
 * @param tenant who owns it
 * @param storage where its blobs are
 * @param limits what it may take of this process
 */
public record Account(String resourceName, String tenant, StorageLocation storage, Limits limits) {
    /** An account that may take as much as there is. */
    public Account(String resourceName, String tenant, StorageLocation storage) {
        this(resourceName, tenant, storage, Limits.NONE);
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
