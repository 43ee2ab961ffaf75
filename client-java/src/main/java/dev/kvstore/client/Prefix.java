package dev.kvstore.client;

import dev.kvstore.protocol.block.BlockHash;

/**
 * The longest stored prefix of a prompt.
 *
 * @param cachedBlocks its length in whole blocks, 0 or more
 * @param lastHash name of its last block, the parent of the first block to write; the partition's root if it is empty
 */
public record Prefix(int cachedBlocks, BlockHash lastHash) {}
