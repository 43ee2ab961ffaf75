package dev.kvstore.client;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Blocks to test with: small, different from each other, the same in every run. */
public final class SdkBlocks {
    public static final Partition PARTITION = Partition.of("llama/rev1/fp16", 4);

    private SdkBlocks() {}

    /** Token ids of so many blocks. */
    public static int[] tokens(int blocks) {
        return IntStream.range(0, blocks * PARTITION.blockTokens()).toArray();
    }

    public static BlockChain chain(int blocks) {
        return BlockChain.of(PARTITION, Tokens.of(tokens(blocks)));
    }

    /** The payload of block {@code index}. */
    public static byte[] payload(int index, int bytes) {
        byte[] payload = new byte[bytes];
        new Random(index).nextBytes(payload);
        return payload;
    }

    public static NewBlock newBlock(BlockChain chain, int index, int bytes) {
        int size = PARTITION.blockTokens();
        Tokens tokens = Tokens.slice(tokens(chain.size()), index * size, size);
        return NewBlock.of(chain, index, tokens, ByteBuffer.wrap(payload(index, bytes)));
    }

    /** Block {@code index} as it is stored. */
    public static PromptChunk chunk(BlockChain chain, int index, int bytes) {
        NewBlock block = newBlock(chain, index, bytes);
        PromptChunk.Builder chunk = PromptChunk.newBuilder()
                .setBuffer(ByteString.copyFrom(block.buffer().duplicate()))
                .setHash(WireNames.field(chain.hash(index)))
                .setParentHash(WireNames.field(chain.parent(index)))
                .setCrc32C(Crc32c.of(block.buffer()));
        IntStream.of(block.tokens().toArray()).forEach(chunk::addTokens);
        return chunk.build();
    }

    /** A stored block as a streaming read sends it. */
    public static List<ReadPart> parts(int index, PromptChunk chunk, int partBytes) {
        List<ReadPart> parts = new ArrayList<>();
        int size = chunk.getBuffer().size();
        for (int offset = 0; offset < size; offset += partBytes) {
            ByteString bytes = chunk.getBuffer().substring(offset, Math.min(size, offset + partBytes));
            ReadPart.Builder part = ReadPart.newBuilder()
                    .setIndex(index)
                    .setOffset(offset)
                    .setLast(offset + bytes.size() == size)
                    .setBytes(bytes)
                    .setCrc32C(Crc32c.of(bytes.asReadOnlyByteBuffer()));
            if (offset == 0) {
                part.setHead(head(chunk));
            }
            parts.add(part.build());
        }
        return parts;
    }

    private static BlockHead head(PromptChunk chunk) {
        return BlockHead.newBuilder()
                .addAllTokens(chunk.getTokensList())
                .setExtra(chunk.getExtra())
                .setHash(chunk.getHash())
                .setParentHash(chunk.getParentHash())
                .setBufferBytes(chunk.getBuffer().size())
                .setCrc32C(chunk.getCrc32C())
                .build();
    }

    public static com.google.rpc.Status status(Status.Code code) {
        return com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage("as the script says")
                .build();
    }

    /** The buffer of a block that arrived; closes it. */
    public static byte[] bytes(Block block) {
        try (block) {
            ByteBuffer copy = ByteBuffer.allocate(block.length());
            block.copyTo(copy);
            return copy.array();
        }
    }
}
