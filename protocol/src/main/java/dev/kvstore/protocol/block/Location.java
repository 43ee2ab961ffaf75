package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;

/**
 * The address of a block: version, partition, hash. It is valid at every data plane, with any resource that the caller
 * may use. On the wire: {@code 0x01 || root (32 bytes) || hash (32 bytes)}.
 *
 * @param root the root hash, which identifies the partition
 * @param hash the block's name
 */
public record Location(BlockHash root, BlockHash hash) {
    /** The length on the wire, in bytes. */
    public static final int BYTES = 1 + 2 * BlockHash.BYTES;

    private static final byte VERSION = 1;

    /**
     * The location in an array, such as {@link #toBytes} gives.
     *
     * @throws IllegalArgumentException if these are not the bytes of a location
     */
    public static Location of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /**
     * The location in a buffer's remaining bytes, whose position does not move.
     *
     * @throws IllegalArgumentException if these are not the bytes of a location
     */
    public static Location of(ByteBuffer bytes) {
        if (bytes.remaining() != BYTES) {
            throw new IllegalArgumentException("a location has " + BYTES + " bytes, not " + bytes.remaining());
        }
        int at = bytes.position();
        if (bytes.get(at) != VERSION) {
            throw new IllegalArgumentException("location version " + Byte.toUnsignedInt(bytes.get(at))
                    + " is unknown; this is version " + VERSION);
        }
        return new Location(BlockHash.at(bytes, at + 1), BlockHash.at(bytes, at + 1 + BlockHash.BYTES));
    }

    /** The 65 bytes for the wire. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        ByteBuffer target = ByteBuffer.wrap(bytes).put(VERSION);
        root.putTo(target);
        hash.putTo(target);
        return bytes;
    }
}
