package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import java.nio.ByteBuffer;

/**
 * A block to write.
 *
 * @param parent name of the block before this one, or the partition's root
 * @param tokens the block's tokens, exactly as many as each block of the partition has
 * @param extra bytes that the tokens do not contain: the remaining bytes, up to 64 KiB, copied; usually none
 * @param buffer the payload: the remaining bytes, 1 to 64 MiB, direct or not; its position does not move. The bytes
 *     must stay as they are until the write has completed
 */
public record NewBlock(BlockHash parent, Tokens tokens, ByteBuffer extra, ByteBuffer buffer) {
    /** Largest buffer, in bytes. */
    public static final int MAX_BUFFER_BYTES = 64 * 1024 * 1024;

    public NewBlock {
        buffer = buffer.slice();
        ClientOptions.requireRange("extra: its length", extra.remaining(), 0, BlockHeader.MAX_EXTRA_BYTES);
        extra = ByteBuffer.allocate(extra.remaining())
                .put(extra.duplicate())
                .flip()
                .asReadOnlyBuffer();
        ClientOptions.requireRange("buffer: its length", buffer.remaining(), 1, MAX_BUFFER_BYTES);
    }

    /** The extra as a new read-only view for each caller. */
    @Override
    public ByteBuffer extra() {
        return extra.duplicate();
    }

    /** A block without extra. */
    public static NewBlock of(BlockHash parent, Tokens tokens, ByteBuffer buffer) {
        return new NewBlock(parent, tokens, ByteBuffer.allocate(0), buffer);
    }

    /** Block {@code index} of a prompt whose chain is known; {@code tokens} are those of this block. */
    public static NewBlock of(BlockChain chain, int index, Tokens tokens, ByteBuffer buffer) {
        return of(chain.parent(index), tokens, buffer);
    }
}
