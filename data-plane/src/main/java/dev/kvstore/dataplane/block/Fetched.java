package dev.kvstore.dataplane.block;

/** What came of fetching a block. */
public sealed interface Fetched {
    /**
     * It is here; the holder gives the reference back.
     *
     * @param passing it came from elsewhere, and the storage that was asked does not have it yet: nothing here may say so
     */
    record Found(StoredBlock block, boolean passing) implements Fetched {
        /** As storage has it. */
        public Found(StoredBlock block) {
            this(block, false);
        }
    }

    /** There is none, or one of a format this version does not know. */
    record Absent() implements Fetched {}

    /** There was one that fails its checksums. It has been removed, unless it changed meanwhile. */
    record Damaged(String reason) implements Fetched {}
}
