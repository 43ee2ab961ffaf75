package dev.kvstore.dataplane.storage;

/** What is stored under a name: a blob, or one of a length that its reader cannot use. */
public sealed interface Got permits Blob, WrongSizeBlob {
    /** Of the whole blob. */
    String etag();
}
