package dev.kvstore.client;

import java.util.List;

/**
 * The longest stored prefixes of a prompt in several partitions. Immutable.
 *
 * @param cachedBlocks length of the prefix that all partitions have, in whole blocks: the least of all
 * @param each the prefix of each partition, in the order of the request
 */
public record CommonPrefix(int cachedBlocks, List<Prefix> each) {
    public CommonPrefix {
        each = List.copyOf(each);
    }
}
