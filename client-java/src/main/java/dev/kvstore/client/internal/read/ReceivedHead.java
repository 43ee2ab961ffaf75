package dev.kvstore.client.internal.read;

import com.google.protobuf.ByteString;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.answer.v1.AnswerHead;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;

/** The head of a block, copied out of network memory, so that it outlives the message. */
record ReceivedHead(
        BlockHash hash, BlockHash parent, Tokens tokens, ByteString extra, int bufferBytes, int crc32c, String writer) {
    /** The failure of a received block that is not the block that it claims to be; the message says why. */
    static final class BlockFlawException extends Exception {
        private static final long serialVersionUID = 1L;

        BlockFlawException(String flaw) {
            super(flaw, null, false, false);
        }
    }

    /**
     * The verified head of the block named {@code wanted}.
     *
     * @throws BlockFlawException if the head belongs to another block, or does not have the name that it claims
     */
    static ReceivedHead of(AnswerHead wire, BlockHash wanted, BlockHasher hasher) throws BlockFlawException {
        require(wire.getHash().size() == BlockHash.BYTES, "its hash is not 32 bytes long");
        require(wire.getParentHash().size() == BlockHash.BYTES, "its parent_hash is not 32 bytes long");
        require(wire.hasCrc32C(), "its head has no crc32c");
        long bytes = wire.getBufferBytes();
        require(bytes >= 1 && bytes <= NewBlock.MAX_BUFFER_BYTES, "buffer_bytes is out of range");
        BlockHash hash = WireNames.hash(wire.getHash());
        require(hash.equals(wanted), "another block came: " + hash);
        require(wire.getTokens().size() % Integer.BYTES == 0, "its tokens are not of 4 bytes each");
        Tokens tokens = Tokens.of(ByteBuffer.wrap(wire.getTokens().toByteArray()));
        ByteString extra = ByteString.copyFrom(wire.getExtra().asReadOnlyByteBuffer());
        BlockHash parent = WireNames.hash(wire.getParentHash());
        require(
                hasher.next(parent, extra.asReadOnlyByteBuffer(), tokens).equals(hash),
                "its tokens and parent do not have its hash");
        return new ReceivedHead(hash, parent, tokens, extra, (int) bytes, wire.getCrc32C(), wire.getWriter());
    }

    private static void require(boolean holds, String flaw) throws BlockFlawException {
        if (!holds) {
            throw new BlockFlawException(flaw);
        }
    }
}
