package dev.kvstore.dataplane.tier.disk;

/**
 * What a block is called on disk: 128 bits of a SHA-256 over where its account's bytes lie, its root and its hash.
 * {@link RecordKeys} makes them. Immutable.
 */
record RecordKey(long high, long low) {
    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }
}
