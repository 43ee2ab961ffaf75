package dev.kvstore.endtoend;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Reply;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;

/** The operations of a data plane on one block. */
enum BlockOperation {
    LOOKUP,
    LOOKUP_ALL,
    READ,
    WRITE,
    STREAMING_READ,
    STREAMING_WRITE;

    MethodDescriptor<?, ?> method() {
        return switch (this) {
            case LOOKUP -> KVStoreServiceGrpc.getLookupMethod();
            case LOOKUP_ALL -> KVStoreServiceGrpc.getLookupAllMethod();
            case READ -> KVStoreServiceGrpc.getReadMethod();
            case WRITE -> KVStoreServiceGrpc.getWriteMethod();
            case STREAMING_READ -> KVStoreServiceGrpc.getStreamingReadMethod();
            case STREAMING_WRITE -> KVStoreServiceGrpc.getStreamingWriteMethod();
        };
    }

    /** Whether it asks which blocks are stored. */
    boolean looksUp() {
        return this == LOOKUP || this == LOOKUP_ALL;
    }

    boolean writes() {
        return this == WRITE || this == STREAMING_WRITE;
    }

    boolean isUnary() {
        return method().getType() == MethodDescriptor.MethodType.UNARY;
    }

    /** A request that is right in everything but, perhaps, in who sends it. */
    ByteString request(BlockTarget target) {
        return switch (this) {
            case LOOKUP ->
                LookupRequest.newBuilder()
                        .setResourceName(target.resource())
                        .setPartition(target.prompt().partition().name())
                        .setBlockTokens(target.prompt().partition().blockTokens())
                        .setBlockHashes(WireNames.field(target.prompt().chain()))
                        .build()
                        .toByteString();
            case LOOKUP_ALL ->
                LookupAllRequest.newBuilder()
                        .setResourceName(target.resource())
                        .setBlockTokens(target.prompt().partition().blockTokens())
                        .addPartitions(PartitionQuery.newBuilder()
                                .setPartition(target.prompt().partition().name())
                                .setBlockHashes(WireNames.field(target.prompt().chain())))
                        .build()
                        .toByteString();
            case READ ->
                ReadRequest.newBuilder()
                        .setResourceName(target.resource())
                        .setLocation(WireNames.field(target.location()))
                        .build()
                        .toByteString();
            case WRITE -> write(target).toByteString();
            case STREAMING_READ ->
                StreamingReadRequest.newBuilder()
                        .setResourceName(target.resource())
                        .addLocations(WireNames.field(target.location()))
                        .build()
                        .toByteString();
            case STREAMING_WRITE -> streamingWrite(target).toByteString();
        };
    }

    private static WriteRequest write(BlockTarget target) {
        return WriteRequest.newBuilder()
                .setResourceName(target.resource())
                .setPartition(target.prompt().partition().name())
                .setBlockTokens(target.prompt().partition().blockTokens())
                .setChunk(PromptChunk.newBuilder()
                        .addAllTokens(target.tokens())
                        .setParentHash(target.parent())
                        .setBuffer(target.buffer())
                        .setCrc32C(Crc32c.of(target.buffer().asReadOnlyByteBuffer())))
                .build();
    }

    private static StreamingWriteRequest streamingWrite(BlockTarget target) {
        return StreamingWriteRequest.newBuilder()
                .setResourceName(target.resource())
                .setPartition(target.prompt().partition().name())
                .setBlockTokens(target.prompt().partition().blockTokens())
                .addParts(WritePart.newBuilder()
                        .setHead(BlockHead.newBuilder()
                                .addAllTokens(target.tokens())
                                .setParentHash(target.parent())
                                .setBufferBytes(target.buffer().size()))
                        .setBytes(target.buffer())
                        .setCrc32C(Crc32c.of(target.buffer().asReadOnlyByteBuffer()))
                        .setLast(true))
                .build();
    }

    /** The answer to a lookup, of the one partition that was asked for. */
    LookupResponse found(ByteString answer) throws InvalidProtocolBufferException {
        return LookupResponse.parseFrom(
                this == LOOKUP_ALL
                        ? LookupAllResponse.parseFrom(answer).getPartitions(0).toByteString()
                        : answer);
    }

    /** The statuses of the items of an answer that failed. */
    List<Status> refusals(Reply reply) {
        List<Status> refusals = new ArrayList<>();
        try {
            for (ByteString message : reply.messages()) {
                switch (this) {
                    case STREAMING_READ ->
                        StreamingReadResponse.parseFrom(message).getPartsList().stream()
                                .filter(ReadPart::hasStatus)
                                .forEach(part -> refusals.add(part.getStatus()));
                    case STREAMING_WRITE ->
                        StreamingWriteResponse.parseFrom(message).getResultsList().stream()
                                .filter(WriteResult::hasStatus)
                                .forEach(result -> refusals.add(result.getStatus()));
                    default -> {}
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(this + " is answered by something else", e);
        }
        return refusals;
    }
}
