package dev.kvstore.dataplane.storage;

/** What is stored under a name: a blob, or one that its reader cannot use for its length, or since it is archived. */
public sealed interface Got permits Blob, WrongSizeBlob, ArchivedBlob {
    /** Of the whole blob. */
    String etag();
}
