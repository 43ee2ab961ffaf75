package dev.kvstore.protocol.wire;

import dev.kvstore.protocol.format.BlockHeader;

/** The sizes of the parts in which blocks are sent. */
public final class PartSizes {
    public static final int MIN_BYTES = 4096;

    /** The largest part; a transport's buffers must hold those of several streams. */
    public static final int MAX_BYTES = 4 * 1024 * 1024;

    /** The default part: one checksummed segment, which stays in a CPU's cache. */
    public static final int DEFAULT_BYTES = BlockHeader.SEGMENT_BYTES;

    private PartSizes() {}

    /**
     * The part size for a request of {@code wanted}: the default for 0, and whole segments from one segment up, so that
     * stored checksums can travel with the bytes.
     *
     * @throws IllegalArgumentException if {@code wanted} is out of range
     */
    public static int bytes(int wanted) {
        if (wanted == 0) {
            return DEFAULT_BYTES;
        }
        if (wanted < MIN_BYTES || wanted > MAX_BYTES) {
            throw new IllegalArgumentException("max_part_bytes: must be 0 or " + MIN_BYTES + " to " + MAX_BYTES
                    + ", not " + Integer.toUnsignedString(wanted));
        }
        return wanted < BlockHeader.SEGMENT_BYTES
                ? wanted
                : wanted / BlockHeader.SEGMENT_BYTES * BlockHeader.SEGMENT_BYTES;
    }
}
