package dev.kvstore.dataplane.storage;

/** What is stored under a name: a blob, or something that no store put there. */
public sealed interface Got permits Blob, Misfit {
    /** Of the whole blob. */
    String etag();
}
