package dev.kvstore.dataplane.tier.disk;

/**
 * The key of a block on disk: 128 bits of a SHA-256 over the location of its account's storage, its root and its hash.
 * {@link RecordKeys} makes them. Immutable.
 */
record RecordKey(long high, long low) {
    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }
}
