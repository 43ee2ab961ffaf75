package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Blocks and chains of blocks to write, the same for the same seed. */
final class TestChains {
    static final Partition PARTITION = Partition.of("model/rev1/fp16");

    private TestChains() {}

    static byte[] buffer(int bytes, long seed) {
        byte[] buffer = new byte[bytes];
        new Random(seed).nextBytes(buffer);
        return buffer;
    }

    /** The first block of a prompt that the seed determines. */
    static PromptChunk first(byte[] buffer, long seed) {
        return after(PARTITION.root(), buffer, seed);
    }

    /** The first block of a prompt in another partition, whose tokens are those of {@link #first}. */
    static PromptChunk in(String partition, byte[] buffer, long seed) {
        return after(Partition.of(partition).root(), buffer, seed);
    }

    static PromptChunk after(BlockHash parent, byte[] buffer, long seed) {
        int[] tokens = new Random(seed).ints(PARTITION.blockTokens()).toArray();
        BlockHash hash = new BlockHasher().next(parent, ByteBuffer.allocate(0), Tokens.of(tokens));
        return PromptChunk.newBuilder()
                .addAllTokens(Arrays.stream(tokens).boxed().toList())
                .setHash(WireNames.field(hash))
                .setParentHash(WireNames.field(parent))
                .setBuffer(UnsafeByteOperations.unsafeWrap(buffer))
                .setCrc32C(Crc32c.of(ByteBuffer.wrap(buffer)))
                .build();
    }

    /** The same block with another buffer. */
    static PromptChunk withBuffer(PromptChunk chunk, byte[] buffer) {
        return chunk.toBuilder()
                .setBuffer(UnsafeByteOperations.unsafeWrap(buffer))
                .setCrc32C(Crc32c.of(ByteBuffer.wrap(buffer)))
                .build();
    }

    /** A prompt of {@code blocks} blocks, each with a buffer of its own. */
    static List<PromptChunk> chain(int blocks, int bufferBytes, long seed) {
        List<PromptChunk> chain = new ArrayList<>();
        BlockHash parent = PARTITION.root();
        for (int i = 0; i < blocks; i++) {
            PromptChunk chunk = after(parent, buffer(bufferBytes, seed + i), seed + i);
            chain.add(chunk);
            parent = WireNames.hash(chunk.getHash());
        }
        return chain;
    }

    static ByteString hashes(List<PromptChunk> chain) {
        return ByteString.copyFrom(chain.stream().map(PromptChunk::getHash).toList());
    }

    static WriteRequest write(String resource, PromptChunk chunk) {
        return write(resource, PARTITION.name(), chunk);
    }

    static WriteRequest write(String resource, String partition, PromptChunk chunk) {
        return WriteRequest.newBuilder()
                .setResourceName(resource)
                .setPartition(partition)
                .setChunk(chunk)
                .build();
    }

    static BlockHead head(PromptChunk chunk) {
        return BlockHead.newBuilder()
                .addAllTokens(chunk.getTokensList())
                .setHash(chunk.getHash())
                .setParentHash(chunk.getParentHash())
                .setBufferBytes(chunk.getBuffer().size())
                .build();
    }

    static List<WritePart> parts(int index, PromptChunk chunk, int partBytes) {
        List<WritePart> parts = new ArrayList<>();
        ByteString buffer = chunk.getBuffer();
        for (int offset = 0; offset < buffer.size(); offset += partBytes) {
            ByteString bytes = buffer.substring(offset, Math.min(buffer.size(), offset + partBytes));
            WritePart.Builder part = WritePart.newBuilder()
                    .setIndex(index)
                    .setOffset(offset)
                    .setLast(offset + bytes.size() == buffer.size())
                    .setBytes(bytes)
                    .setCrc32C(Crc32c.of(bytes.asReadOnlyByteBufferList()));
            if (offset == 0) {
                part.setHead(head(chunk));
            }
            parts.add(part.build());
        }
        return parts;
    }
}
