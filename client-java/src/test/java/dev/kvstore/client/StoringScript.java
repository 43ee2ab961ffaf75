package dev.kvstore.client;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceImplBase;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PartitionPrefix;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A script that does as the wire says, over a map several servers may share. Tests override what is to go wrong. */
class StoringScript extends KVStoreServiceImplBase {
    final Map<ByteString, PromptChunk> blocks;

    /** Whether this is a server that has the method. */
    volatile boolean knowsLookupAll = true;

    StoringScript(Map<ByteString, PromptChunk> blocks) {
        this.blocks = blocks;
    }

    StoringScript() {
        this(new ConcurrentHashMap<>());
    }

    @Override
    public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
        PartitionPrefix found = prefix(request.getPartition(), request.getBlockTokens(), request.getBlockHashes());
        answer.onNext(LookupResponse.newBuilder()
                .setCachedBlocks(found.getCachedBlocks())
                .setLastHash(found.getLastHash())
                .build());
        answer.onCompleted();
    }

    @Override
    public void lookupAll(LookupAllRequest request, StreamObserver<LookupAllResponse> answer) {
        if (!knowsLookupAll) {
            super.lookupAll(request, answer);
            return;
        }
        LookupAllResponse.Builder found = LookupAllResponse.newBuilder();
        int common = Integer.MAX_VALUE;
        for (PartitionQuery query : request.getPartitionsList()) {
            PartitionPrefix prefix = prefix(query.getPartition(), request.getBlockTokens(), query.getBlockHashes());
            common = Math.min(common, prefix.getCachedBlocks());
            found.addPartitions(prefix);
        }
        answer.onNext(found.setCachedBlocks(common).build());
        answer.onCompleted();
    }

    private PartitionPrefix prefix(String partition, int blockTokens, ByteString hashes) {
        ByteString last = WireNames.field(Partition.of(partition, blockTokens).root());
        int cached = 0;
        while (cached * 32 < hashes.size() && blocks.containsKey(hashes.substring(cached * 32, cached * 32 + 32))) {
            last = hashes.substring(cached * 32, cached * 32 + 32);
            cached++;
        }
        return PartitionPrefix.newBuilder()
                .setCachedBlocks(cached)
                .setLastHash(last)
                .build();
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> answer) {
        PromptChunk chunk = find(request.getLocation());
        if (chunk == null) {
            answer.onError(Status.NOT_FOUND.withDescription("no such block").asException());
            return;
        }
        answer.onNext(ReadResponse.newBuilder().setChunk(chunk).build());
        answer.onCompleted();
    }

    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
        answer.onNext(store(Partition.of(request.getPartition(), request.getBlockTokens()), request.getChunk()));
        answer.onCompleted();
    }

    @Override
    public StreamObserver<StreamingReadRequest> streamingRead(StreamObserver<StreamingReadResponse> answer) {
        return new ScriptedRequests<>(answer) {
            @Override
            public void onNext(StreamingReadRequest request) {
                for (int i = 0; i < request.getLocationsCount(); i++) {
                    send(i, find(request.getLocations(i)), request.getMaxPartBytes(), answer);
                }
            }
        };
    }

    @Override
    public StreamObserver<StreamingWriteRequest> streamingWrite(StreamObserver<StreamingWriteResponse> answer) {
        return new ScriptedRequests<>(answer) {
            private @Nullable Partition partition;
            private BlockHead head = BlockHead.getDefaultInstance();
            private ByteString buffer = ByteString.EMPTY;

            @Override
            public void onNext(StreamingWriteRequest request) {
                if (!request.getPartition().isEmpty()) {
                    partition = Partition.of(request.getPartition(), request.getBlockTokens());
                }
                request.getPartsList().forEach(this::take);
            }

            private void take(WritePart part) {
                if (part.hasHead()) {
                    head = part.getHead();
                    buffer = ByteString.EMPTY;
                }
                buffer = buffer.concat(part.getBytes());
                Partition target = partition;
                if (part.getLast() && target != null) {
                    finished(target, part.getIndex(), chunk(head, buffer), answer);
                }
            }
        };
    }

    /** A block of a streaming write is complete. */
    void finished(Partition partition, int index, PromptChunk chunk, StreamObserver<StreamingWriteResponse> answer) {
        answer.onNext(StreamingWriteResponse.newBuilder()
                .addResults(WriteResult.newBuilder().setIndex(index).setWrite(store(partition, chunk)))
                .build());
    }

    /** Sends one block of a streaming read. */
    void send(int index, @Nullable PromptChunk chunk, int partBytes, StreamObserver<StreamingReadResponse> answer) {
        if (chunk == null) {
            send(
                    ReadPart.newBuilder()
                            .setIndex(index)
                            .setLast(true)
                            .setStatus(SdkBlocks.status(Status.Code.NOT_FOUND)),
                    answer);
            return;
        }
        SdkBlocks.parts(index, chunk, partBytes).forEach(part -> send(part.toBuilder(), answer));
    }

    /** The client has sent all it wants to. */
    void end(StreamObserver<?> answer) {
        answer.onCompleted();
    }

    /** Sends one part of a streaming read. */
    void send(ReadPart.Builder part, StreamObserver<StreamingReadResponse> answer) {
        answer.onNext(StreamingReadResponse.newBuilder().addParts(part).build());
    }

    private @Nullable PromptChunk find(ByteString location) {
        return blocks.get(WireNames.field(WireNames.location(location).hash()));
    }

    WriteResponse store(Partition partition, PromptChunk chunk) {
        PromptChunk before = blocks.putIfAbsent(chunk.getHash(), chunk);
        PromptChunk stored = before == null ? chunk : before;
        return WriteResponse.newBuilder()
                .setLocation(WireNames.field(new Location(partition.root(), WireNames.hash(chunk.getHash()))))
                .setOutcome(before == null ? WriteResponse.Outcome.STORED : WriteResponse.Outcome.ALREADY_PRESENT)
                .setStoredCrc32C(stored.getCrc32C())
                .setStoredBytes(stored.getBuffer().size())
                .build();
    }

    private static PromptChunk chunk(BlockHead head, ByteString buffer) {
        return PromptChunk.newBuilder()
                .addAllTokens(head.getTokensList())
                .setExtra(head.getExtra())
                .setHash(head.getHash())
                .setParentHash(head.getParentHash())
                .setBuffer(buffer)
                .setCrc32C(head.getCrc32C())
                .build();
    }

    /** Answers to the end of requests with the end of answers. */
    abstract class ScriptedRequests<Q> implements StreamObserver<Q> {
        private final StreamObserver<?> answer;

        ScriptedRequests(StreamObserver<?> answer) {
            this.answer = answer;
        }

        @Override
        public void onError(Throwable gone) {
            // The client is gone; so is everybody who could be told.
        }

        @Override
        public void onCompleted() {
            end(answer);
        }
    }
}
