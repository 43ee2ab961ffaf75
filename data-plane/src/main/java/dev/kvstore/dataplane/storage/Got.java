package dev.kvstore.dataplane.storage;

/** The content that is stored under a name: a blob, or the length of a blob that its reader cannot use. */
public sealed interface Got permits Blob, WrongSizeBlob {
    /** The ETag of the whole blob. */
    String etag();
}
