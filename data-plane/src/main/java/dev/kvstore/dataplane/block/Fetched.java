package dev.kvstore.dataplane.block;

/** The outcome of fetching a block. */
public sealed interface Fetched {
    /**
     * The block. The receiver gives its reference back.
     *
     * @param passing whether the block came from another region and this region's storage does not have it yet; then no
     *     tier may keep it, since a block in a tier counts as stored
     */
    record FetchedBlock(StoredBlock block, boolean passing) implements Fetched {
        /** A block that this region's storage has. */
        public FetchedBlock(StoredBlock block) {
            this(block, false);
        }
    }

    /** There is no block, or one in a format that this version does not know, or one that is archived. */
    record Absent() implements Fetched {}

    /**
     * The stored block was damaged.
     *
     * @param removed whether it has been deleted, unless it changed meanwhile; false if storage did not let it be
     *     deleted
     */
    record Damaged(String reason, boolean removed) implements Fetched {}
}
