package dev.kvstore.dataplane.block;

/** What came of fetching a block. */
public sealed interface Fetched {
    /** It is here; the holder gives the reference back. */
    record Found(StoredBlock block) implements Fetched {}

    /** There is none, or one of a format this version does not know. */
    record Absent() implements Fetched {}

    /** There was one that fails its checksums. It has been removed, unless it changed meanwhile. */
    record Damaged(String reason) implements Fetched {}
}
