package dev.kvstore.protocol.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;

/**
 * Converts names of blocks to fields of messages and back. A class of its own, so that applications that use the names
 * need no protobuf.
 */
public final class WireNames {
    private WireNames() {}

    /**
     * Reads a hash from a field.
     *
     * @throws IllegalArgumentException unless there are exactly 32 bytes
     */
    public static BlockHash hash(ByteString field) {
        return BlockHash.of(field.asReadOnlyByteBuffer());
    }

    /**
     * Reads a location from a field.
     *
     * @throws IllegalArgumentException if these are not the bytes of a location
     */
    public static Location location(ByteString field) {
        return Location.of(field.asReadOnlyByteBuffer());
    }

    /**
     * Reads a chain from a field with 32 bytes per block. The bytes are not copied, so they must not be released while
     * the chain is used.
     *
     * @throws IllegalArgumentException if the length is no multiple of 32
     */
    public static BlockChain chain(BlockHash root, ByteString field) {
        return BlockChain.ofHashes(root, field.asReadOnlyByteBufferList());
    }

    /** The field of a hash: 32 bytes. */
    public static ByteString field(BlockHash hash) {
        return UnsafeByteOperations.unsafeWrap(hash.toBytes());
    }

    /** The field of a location: 65 bytes. */
    public static ByteString field(Location location) {
        return UnsafeByteOperations.unsafeWrap(location.toBytes());
    }

    /** The field of a chain, a copy with 32 bytes per block. */
    public static ByteString field(BlockChain chain) {
        return UnsafeByteOperations.unsafeWrap(chain.toByteBuffer());
    }
}
