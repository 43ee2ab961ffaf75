package dev.kvstore.dataplane.storage;

/**
 * A blob in the archive tier of its storage, or on its way out of it, which takes hours. Nobody can read it now; most
 * storages refuse to replace it, too, and let it be deleted by its ETag.
 */
public record ArchivedBlob(String etag) implements Got {}
