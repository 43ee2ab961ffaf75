package dev.kvstore.protocol.wire;

import dev.kvstore.protocol.format.BlockHeader;

/** Sizes of the parts that blocks travel in. */
public final class PartSizes {
    public static final int MIN_BYTES = 4096;

    /** Largest part; several streams' worth of it must fit a transport's buffers. */
    public static final int MAX_BYTES = 4 * 1024 * 1024;

    /** One checksummed segment, which stays in a CPU's cache on its way. */
    public static final int DEFAULT_BYTES = BlockHeader.SEGMENT_BYTES;

    private PartSizes() {}

    /**
     * The part size a request for {@code wanted} gets: the default for 0, and whole segments from one segment up, so
     * that stored checksums can travel with the bytes.
     *
     * @throws IllegalArgumentException if it is out of range
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
