package dev.kvstore.client;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A block that arrived whole and was verified. Its buffer lies in network memory, which {@link #close} gives back.
 * Until then keep the block itself reachable, not only its views; afterwards use neither. If the application forgets to
 * close a block, the garbage collector finds it: then its memory is given back, and the log warns of it. One thread at
 * a time may use a block.
 */
public interface Block extends AutoCloseable {
    /** The block's position in the requested list of blocks, from 0. */
    int index();

    BlockHash hash();

    /** The name of the block before this one, or the partition's root. */
    BlockHash parent();

    /** The block's token ids; they outlive the block. */
    Tokens tokens();

    /**
     * Bytes that the tokens do not contain, such as the digest of an image; usually none. A read-only view, which
     * outlives the block.
     */
    ByteBuffer extra();

    /**
     * Id of the API key that wrote the block, without its secret; empty if the stored block does not name it. The first
     * writer of a block decides its buffer: {@link CallOptions#withWriters} asks only for blocks of keys that the
     * reader trusts.
     */
    String writer();

    /** Length of the buffer, 1 byte to 64 MiB. */
    int length();

    /** CRC32C of the buffer, verified when it arrived. */
    int crc32c();

    /**
     * The buffer, without a copy: read-only views of network memory, in order, each at position 0.
     *
     * @throws IllegalStateException if the block is closed
     */
    List<ByteBuffer> buffers();

    /**
     * Copies the buffer to {@code target}, whose position moves on by {@link #length}. A {@code MemorySegment} is a
     * target as its {@code asByteBuffer()}.
     *
     * @throws java.nio.BufferOverflowException if {@code target} has less room
     * @throws IllegalStateException if the block is closed
     */
    void copyTo(ByteBuffer target);

    /** Gives the block's memory back. Closing twice is harmless. */
    @Override
    void close();
}
