package dev.kvstore.control.warming.block;

import dev.kvstore.protocol.block.BlockHash;

/**
 * A block that is to be copied.
 *
 * @param bytes its length, as far as is known
 */
public record BlockRef(BlockHash root, BlockHash hash, int bytes) {}
