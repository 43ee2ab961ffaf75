package dev.kvstore.dataplane.presence.snapshot;

/** The state of a blob, compared with the time at which its ETag was seen. */
public sealed interface Look<T> {
    /** It still is the one with that ETag. */
    record UnchangedSnapshot<T>() implements Look<T> {}

    /** There is none any more, or there never was. */
    record None<T>() implements Look<T> {}

    /** It is another now. */
    record Other<T>(SnapshotVersion<T> version) implements Look<T> {}
}
