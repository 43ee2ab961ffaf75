package dev.kvstore.client;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A block that arrived whole and unharmed. Its buffer lies in network memory, which {@link #close} gives back: until
 * then keep the block itself reachable, not only its views; afterwards neither may be used. A block that is forgotten
 * is reported in the log, and its memory given back, once the garbage collector finds it. For one thread at a time.
 */
public interface Block extends AutoCloseable {
    /** Position in the list of blocks that was asked for, from 0. */
    int index();

    BlockHash hash();

    /** Name of the block before, or the partition's root. */
    BlockHash parent();

    /** Its token ids; they outlive the block. */
    Tokens tokens();

    /** What the tokens do not say, usually empty; it outlives the block. */
    ByteString extra();

    /**
     * Id of the API key that wrote it, without its secret; empty if storage does not say. The first writer of a block decides
     * what its buffer is: {@link CallOptions#withWriters} asks for blocks of keys that the reader trusts.
     */
    String writer();

    /** Length of the buffer, 1 byte to 64 MiB. */
    int length();

    /** CRC32C of the buffer, verified when it arrived. */
    int crc32c();

    /**
     * The buffer where it lies: read-only views, in order, at position 0.
     *
     * @throws IllegalStateException if the block is closed
     */
    List<ByteBuffer> buffers();

    /**
     * Copies the buffer to {@code target}, whose position moves on by {@link #length}.
     *
     * @throws java.nio.BufferOverflowException if less than that remains
     * @throws IllegalStateException if the block is closed
     */
    void copyTo(ByteBuffer target);

    /**
     * Copies the buffer to the beginning of {@code target}.
     *
     * @throws IndexOutOfBoundsException if it is shorter than {@link #length}
     * @throws IllegalStateException if the block is closed
     */
    void copyTo(MemorySegment target);

    /** Gives the memory back. Closing twice is harmless. */
    @Override
    void close();
}
