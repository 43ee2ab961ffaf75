package dev.kvstore.protocol.block;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;

/**
 * The address of a block: version, partition, hash. It is valid at every data plane, with any resource that the caller
 * may use. On the wire: {@code 0x01 || root (32 bytes) || hash (32 bytes)}.
 *
 * @param root the partition's root hash, which identifies it
 * @param hash the block's name
 */
public record Location(BlockHash root, BlockHash hash) {
    /** Length on the wire, in bytes. */
    public static final int BYTES = 1 + 2 * BlockHash.BYTES;

    private static final byte VERSION = 1;

    /**
     * @throws IllegalArgumentException if these are not the bytes of a location
     */
    public static Location of(ByteString wire) {
        if (wire.size() != BYTES) {
            throw new IllegalArgumentException("a location has " + BYTES + " bytes, not " + wire.size());
        }
        if (wire.byteAt(0) != VERSION) {
            throw new IllegalArgumentException("location version " + Byte.toUnsignedInt(wire.byteAt(0))
                    + " is unknown; this is version " + VERSION);
        }
        // A slice: the view of a substring begins at its position, not at 0.
        ByteBuffer bytes = wire.asReadOnlyByteBuffer().slice();
        return new Location(BlockHash.at(bytes, 1), BlockHash.at(bytes, 1 + BlockHash.BYTES));
    }

    public ByteString toByteString() {
        byte[] bytes = new byte[BYTES];
        ByteBuffer target = ByteBuffer.wrap(bytes).put(VERSION);
        root.putTo(target);
        hash.putTo(target);
        return ByteString.copyFrom(bytes);
    }
}
