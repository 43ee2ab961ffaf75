package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.BlockMemory;

/**
 * Bytes of a blob, with a reference that the holder gives back.
 *
 * @param etag of the whole blob
 */
public record Blob(BlockMemory memory, String etag) {}
