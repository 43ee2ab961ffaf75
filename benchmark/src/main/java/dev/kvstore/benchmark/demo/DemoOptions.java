package dev.kvstore.benchmark.demo;

import dev.kvstore.launcher.stack.StorageKind;

/**
 * The options of the demo.
 *
 * @param text the text that conversations are cut from
 * @param conversations how many
 * @param regions in each of which there are two data planes
 * @param blockBytes length of each block's buffer, 1 byte to 64 MiB
 */
record DemoOptions(String text, int conversations, int regions, int blockBytes, StorageKind storage) {
    static final int MAX_REGIONS = 2;
    static final int MAX_BLOCK_BYTES = 64 << 20;

    /**
     * @throws IllegalArgumentException if a number is out of its range
     */
    DemoOptions {
        if (regions < 1 || regions > MAX_REGIONS) {
            throw new IllegalArgumentException("--regions: must be 1 to " + MAX_REGIONS + ", not " + regions);
        }
        if (blockBytes < 1 || blockBytes > MAX_BLOCK_BYTES) {
            throw new IllegalArgumentException(
                    "--block-bytes: must be 1 to " + MAX_BLOCK_BYTES + ", not " + blockBytes);
        }
    }
}
