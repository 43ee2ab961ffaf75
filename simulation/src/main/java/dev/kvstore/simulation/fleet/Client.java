package dev.kvstore.simulation.fleet;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceBlockingStub;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceStub;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.simulation.world.SimulatedHost;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Calls of a client's threads. Its methods wait; what they throw is the call's status. */
public final class Client {
    /** In place of a content: there is no such block. */
    public static final int MISSING = -2;

    /** In place of a content: why is not known. */
    public static final int FAILED = -3;

    private static final long DEADLINE_SECONDS = 20;
    private static final int NOT_FOUND = Status.Code.NOT_FOUND.value();

    private final SimulatedHost host;
    private final SimulatedNetwork network;
    private final SimulatedPrompts prompts;
    private final List<ManagedChannel> channels = new ArrayList<>();

    public Client(SimulatedHost host, SimulatedNetwork network, SimulatedPrompts prompts) {
        this.host = host;
        this.network = network;
        this.prompts = prompts;
    }

    /**
     * Makes new connections: gRPC tries one that failed often again after two minutes.
     *
     * @param planes names of data planes
     */
    public void connect(List<String> planes) {
        channels.forEach(ManagedChannel::shutdownNow);
        channels.clear();
        planes.forEach(plane -> channels.add(network.channel(host, plane)));
    }

    private static ClientInterceptor key() {
        Metadata headers = new Metadata();
        headers.put(Credentials.AUTHORIZATION, Credentials.bearer(DataPlaneProcess.KEY));
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    private KVStoreServiceBlockingStub stub(int plane) {
        return KVStoreServiceGrpc.newBlockingStub(channels.get(plane))
                .withInterceptors(key())
                .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private KVStoreServiceStub streams(int plane) {
        return KVStoreServiceGrpc.newStub(channels.get(plane))
                .withInterceptors(key())
                .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /** Writes one block, which is acknowledged then. */
    public WriteResponse.Outcome write(int plane, int prompt, int block, int content) {
        return stub(plane)
                .write(WriteRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setPartition(SimulatedPrompts.PARTITION.name())
                        .setChunk(prompts.chunk(prompt, block, content))
                        .build())
                .getOutcome();
    }

    /** Writes the first blocks of a prompt through one stream; returns the outcomes of the acknowledged blocks. */
    public Map<Integer, WriteResponse.Outcome> writeAll(int plane, int prompt, int blocks, int content) {
        Answers<StreamingWriteResponse> answers = new Answers<>();
        StreamObserver<StreamingWriteRequest> writing = streams(plane).streamingWrite(answers);
        for (int block = 0; block < blocks; block++) {
            writing.onNext(StreamingWriteRequest.newBuilder()
                    .setResourceName(DataPlaneProcess.RESOURCE)
                    .setPartition(SimulatedPrompts.PARTITION.name())
                    .addParts(part(block, prompts.chunk(prompt, block, content)))
                    .build());
        }
        writing.onCompleted();
        SortedMap<Integer, WriteResponse.Outcome> outcomes = new TreeMap<>();
        for (StreamingWriteResponse answer : answers.await()) {
            answer.getResultsList().stream()
                    .filter(result -> !result.hasStatus())
                    .forEach(result ->
                            outcomes.put(result.getIndex(), result.getWrite().getOutcome()));
        }
        return outcomes;
    }

    private static WritePart part(int index, PromptChunk chunk) {
        return WritePart.newBuilder()
                .setIndex(index)
                .setLast(true)
                .setHead(BlockHead.newBuilder()
                        .addAllTokens(chunk.getTokensList())
                        .setHash(chunk.getHash())
                        .setParentHash(chunk.getParentHash())
                        .setBufferBytes(chunk.getBuffer().size()))
                .setBytes(chunk.getBuffer())
                .setCrc32C(chunk.getCrc32C())
                .build();
    }

    /** Begins to read a block, and leaves after a time. */
    public void readAndLeave(int plane, int prompt, int block, long millis) {
        var _ = stub(plane)
                .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
                .read(ReadRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setLocation(location(prompt, block))
                        .build());
    }

    /** Begins to read the first blocks of a prompt through one stream, and leaves after a time. */
    public void readAllAndLeave(int plane, int prompt, int blocks, long millis) {
        var _ = readAll(streams(plane).withDeadlineAfter(millis, TimeUnit.MILLISECONDS), prompt, blocks);
    }

    /** Begins to write a block through a stream, and leaves after a time, when a half of it has arrived. */
    public void writeAndLeave(int plane, int prompt, int block, int content, long millis) {
        Answers<StreamingWriteResponse> answers = new Answers<>();
        StreamObserver<StreamingWriteRequest> writing =
                streams(plane).withDeadlineAfter(millis, TimeUnit.MILLISECONDS).streamingWrite(answers);
        WritePart whole = part(0, prompts.chunk(prompt, block, content));
        ByteString half = whole.getBytes().substring(0, whole.getBytes().size() / 2);
        writing.onNext(StreamingWriteRequest.newBuilder()
                .setResourceName(DataPlaneProcess.RESOURCE)
                .setPartition(SimulatedPrompts.PARTITION.name())
                .addParts(whole.toBuilder()
                        .setLast(false)
                        .setBytes(half)
                        .setCrc32C(Crc32c.of(half.asReadOnlyByteBuffer())))
                .build());
        var _ = answers.await();
    }

    /** How many blocks of a prompt are stored. */
    public int lookUp(int plane, int prompt) {
        return stub(plane)
                .lookup(LookupRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setPartition(SimulatedPrompts.PARTITION.name())
                        .setBlockTokens(SimulatedPrompts.PARTITION.blockTokens())
                        .setBlockHashes(prompts.hashes(prompt))
                        .setOmitLocations(true)
                        .build())
                .getCachedBlocks();
    }

    private ByteString location(int prompt, int block) {
        return WireNames.field(new Location(SimulatedPrompts.PARTITION.root(), prompts.hash(prompt, block)));
    }

    /** The content of a block, or {@link #MISSING}. */
    public int read(int plane, int prompt, int block) {
        try {
            ByteString buffer = stub(plane)
                    .read(ReadRequest.newBuilder()
                            .setResourceName(DataPlaneProcess.RESOURCE)
                            .setLocation(location(prompt, block))
                            .build())
                    .getChunk()
                    .getBuffer();
            return SimulatedPrompts.content(buffer, prompt, block);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return MISSING;
            }
            throw e;
        }
    }

    /** The contents of the first blocks of a prompt, through one stream. */
    public List<Integer> readAll(int plane, int prompt, int blocks) {
        return readAll(streams(plane), prompt, blocks);
    }

    private List<Integer> readAll(KVStoreServiceStub stub, int prompt, int blocks) {
        Answers<StreamingReadResponse> answers = new Answers<>();
        StreamObserver<StreamingReadRequest> reading = stub.streamingRead(answers);
        StreamingReadRequest.Builder request =
                StreamingReadRequest.newBuilder().setResourceName(DataPlaneProcess.RESOURCE);
        for (int block = 0; block < blocks; block++) {
            request.addLocations(location(prompt, block));
        }
        reading.onNext(request.build());
        reading.onCompleted();
        List<Integer> contents = new ArrayList<>();
        for (StreamingReadResponse answer : answers.await()) {
            answer.getPartsList().forEach(part -> contents.add(content(part, prompt)));
        }
        return contents;
    }

    /** Blocks are so small that each is one part. */
    private static int content(ReadPart part, int prompt) {
        if (part.hasStatus()) {
            return part.getStatus().getCode() == NOT_FOUND ? MISSING : FAILED;
        }
        return SimulatedPrompts.content(part.getBytes(), prompt, part.getIndex());
    }
}
