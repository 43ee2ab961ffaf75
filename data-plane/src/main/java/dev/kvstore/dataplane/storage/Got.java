package dev.kvstore.dataplane.storage;

/**
 * The content that is stored under a name: a blob, or a blob that its reader cannot use, for its length or since it is
 * archived.
 */
public sealed interface Got permits Blob, WrongSizeBlob, ArchivedBlob {
    /** The ETag of the whole blob. */
    String etag();
}
