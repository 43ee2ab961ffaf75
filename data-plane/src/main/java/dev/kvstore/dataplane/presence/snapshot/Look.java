package dev.kvstore.dataplane.presence.snapshot;

/** The state of a blob, compared with the time at which its ETag was seen. */
public sealed interface Look<T> {
    /** The blob still has that ETag. */
    record UnchangedSnapshot<T>() implements Look<T> {}

    /** The blob is gone, or there never was one. */
    record None<T>() implements Look<T> {}

    /** The blob has changed. */
    record Other<T>(SnapshotVersion<T> version) implements Look<T> {}
}
