package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.BlockMemory;

/**
 * Bytes of a blob, all or a range, with a reference that the holder gives back.
 *
 * @param etag of the whole blob
 * @param length of the whole blob in bytes
 */
public record Blob(BlockMemory memory, String etag, long length) implements Got {}
