package dev.kvstore.client;

import dev.kvstore.protocol.block.BlockHash;

/**
 * The longest stored prefix of a prompt.
 *
 * @param cachedBlocks length in whole blocks, 0 or more
 * @param lastHash hash of its last block, which is the parent of the first block to write; the partition's root if the
 *     prefix is empty
 */
public record Prefix(int cachedBlocks, BlockHash lastHash) {}
