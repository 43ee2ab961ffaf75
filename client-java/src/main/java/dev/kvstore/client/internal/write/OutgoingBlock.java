package dev.kvstore.client.internal.write;

import com.google.protobuf.ByteString;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.WriteResult.Outcome;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A block to be sent, with its name and checksum. Immutable. */
public record OutgoingBlock(NewBlock block, Location location, int crc32c) {
    /**
     * @throws IllegalArgumentException if the block does not fit the partition
     */
    public static OutgoingBlock of(Partition partition, NewBlock block) {
        int tokens = block.tokens().size();
        if (tokens != partition.blockTokens()) {
            throw new IllegalArgumentException("tokens: " + tokens + " of them, but blocks of partition "
                    + partition.name() + " have " + partition.blockTokens());
        }
        BlockHash hash = new BlockHasher().next(block.parent(), block.extra(), block.tokens());
        return new OutgoingBlock(block, new Location(partition.root(), hash), Crc32c.of(block.buffer()));
    }

    public BlockHash hash() {
        return location.hash();
    }

    int length() {
        return block.buffer().remaining();
    }

    /** A {@link WriteRequest} for the block; the buffer is lent until the call is over. */
    public LongMessage request(String resource, Partition partition) {
        WriteRequest request = WriteRequest.newBuilder()
                .setResourceName(resource)
                .setPartition(partition.name())
                .setBlockTokens(partition.blockTokens())
                .build();
        PromptChunk chunk = PromptChunk.newBuilder()
                .addAllTokens(list(block.tokens()))
                .setExtra(ByteString.copyFrom(block.extra()))
                .setHash(WireNames.field(hash()))
                .setParentHash(WireNames.field(block.parent()))
                .setCrc32C(crc32c)
                .build();
        return LongMessage.of(
                request, WriteRequest.CHUNK_FIELD_NUMBER, chunk, PromptChunk.BUFFER_FIELD_NUMBER, block.buffer(), true);
    }

    /**
     * A {@link StreamingWriteRequest} with the part at {@code offset}. The bytes are copied when the message is handed
     * over, since a block of a stream may be answered while others are still to come.
     *
     * @param request the message without the part
     * @param bytes length of the part, 1 or more
     */
    LongMessage part(StreamingWriteRequest request, int index, int offset, int bytes) {
        ByteBuffer part = block.buffer().slice(offset, bytes);
        return part(request, index, offset, part, bytes == length() ? crc32c : Crc32c.of(part));
    }

    /** A message like that of {@link #part}, with zeros in place of the buffer, which is not read. */
    LongMessage filler(StreamingWriteRequest request, int index, int offset, int bytes) {
        ByteBuffer zeros = ByteBuffer.allocate(bytes);
        return part(request, index, offset, zeros, Crc32c.of(zeros));
    }

    private LongMessage part(StreamingWriteRequest request, int index, int offset, ByteBuffer bytes, int partCrc32c) {
        WritePart.Builder part = WritePart.newBuilder()
                .setIndex(index)
                .setOffset(offset)
                .setLast(offset + bytes.remaining() == length())
                .setCrc32C(partCrc32c);
        if (offset == 0) {
            part.setHead(BlockHead.newBuilder()
                    .addAllTokens(list(block.tokens()))
                    .setExtra(ByteString.copyFrom(block.extra()))
                    .setHash(WireNames.field(hash()))
                    .setParentHash(WireNames.field(block.parent()))
                    .setBufferBytes(length())
                    .setCrc32C(crc32c));
        }
        return LongMessage.of(
                request,
                StreamingWriteRequest.PARTS_FIELD_NUMBER,
                part.build(),
                WritePart.BYTES_FIELD_NUMBER,
                bytes,
                false);
    }

    /**
     * Converts the server's answer to a result.
     *
     * @throws KvStoreException {@code DATA_LOSS} if the server stored something else; {@code INTERNAL} if the answer
     *     makes no sense
     */
    public WriteResult result(WriteResponse response) {
        // The server hides checksum and length of a block that others stored from a key that may only write.
        boolean told = response.getStoredBytes() != 0;
        boolean differs = told && (response.getStoredCrc32C() != crc32c || response.getStoredBytes() != length());
        Outcome outcome = switch (response.getOutcome()) {
            case STORED -> Outcome.STORED;
            case ALREADY_PRESENT -> Outcome.ALREADY_PRESENT;
            case OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
                throw Errors.internal("the server does not say whether it stored block " + hash());
        };
        if (!response.getLocation().equals(WireNames.field(location))) {
            throw Errors.internal("the server stored block " + hash() + " elsewhere");
        }
        if (outcome == Outcome.STORED && (differs || !told)) {
            throw Errors.damaged("block " + hash() + " was stored with another checksum or length than it was sent");
        }
        return new WriteResult(location, outcome, response.getStoredCrc32C(), response.getStoredBytes(), differs);
    }

    private static List<Integer> list(Tokens tokens) {
        List<Integer> ids = new ArrayList<>(tokens.size());
        for (int i = 0; i < tokens.size(); i++) {
            ids.add(tokens.get(i));
        }
        return ids;
    }
}
