package dev.kvstore.benchmark.demo;

import dev.kvstore.launcher.stack.StorageKind;

/**
 * What the demo does.
 *
 * @param text what the conversations are about
 * @param conversations how many
 * @param blockBytes length of each block's buffer, 1 byte to 64 MiB
 */
record DemoOptions(String text, int conversations, int blockBytes, StorageKind storage) {
    static final int MAX_BLOCK_BYTES = 64 << 20;

    /**
     * @throws IllegalArgumentException if a number is out of its range
     */
    DemoOptions {
        if (blockBytes < 1 || blockBytes > MAX_BLOCK_BYTES) {
            throw new IllegalArgumentException(
                    "--block-bytes: must be 1 to " + MAX_BLOCK_BYTES + ", not " + blockBytes);
        }
    }
}
