package dev.kvstore.simulation.fleet;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceBlockingStub;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceStub;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PartitionPrefix;
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
import java.util.concurrent.TimeUnit;

/** Makes calls of a client's threads. The methods wait, and throw the call's status if it fails. */
public final class Client {
    /** A call ends after this time, unless its client is in haste. */
    public static final long DEADLINE_NANOS = TimeUnit.MILLISECONDS.toNanos(Impatience.USUAL.millis());

    /** Stands for a content: there is no such block. */
    public static final int MISSING = -2;

    /** Stands for a content: the block could not be read, for an unknown reason. */
    public static final int FAILED = -3;

    /** Stands for a content: the block is damaged. */
    public static final int DAMAGED = -4;

    private static final String UNWRITTEN = "model/rev2/fp16";
    private static final int NOT_FOUND = Status.Code.NOT_FOUND.value();
    private static final int DATA_LOSS = Status.Code.DATA_LOSS.value();

    private final SimulatedHost host;
    private final SimulatedNetwork network;
    private final SimulatedPrompts prompts;
    private final Impatience impatience;
    private final List<ManagedChannel> channels;

    public Client(SimulatedHost host, SimulatedNetwork network, SimulatedPrompts prompts) {
        this(host, network, prompts, Impatience.USUAL, new ArrayList<>());
    }

    private Client(
            SimulatedHost host,
            SimulatedNetwork network,
            SimulatedPrompts prompts,
            Impatience impatience,
            List<ManagedChannel> channels) {
        this.host = host;
        this.network = network;
        this.prompts = prompts;
        this.impatience = impatience;
        this.channels = channels;
    }

    /** The same client on the same connections, with another patience. */
    public Client with(Impatience other) {
        return new Client(host, network, prompts, other, channels);
    }

    /**
     * Makes new connections: gRPC retries a connection that failed often only after two minutes.
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
        return KVStoreServiceGrpc.newBlockingStub(channels.get(plane)).withInterceptors(key(), impatience.of(host));
    }

    private KVStoreServiceStub streams(int plane) {
        return KVStoreServiceGrpc.newStub(channels.get(plane)).withInterceptors(key(), impatience.of(host));
    }

    /** Writes one block, and returns once it is acknowledged. */
    public WriteResponse.Outcome write(int plane, int prompt, int block, int content) {
        return stub(plane)
                .write(WriteRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setPartition(SimulatedPrompts.PARTITION.name())
                        .setChunk(prompts.chunk(prompt, block, content))
                        .build())
                .getOutcome();
    }

    /**
     * Writes the first blocks of a prompt through one stream.
     *
     * @param outcomes gets the outcomes of the acknowledged blocks, even if the stream fails afterwards
     */
    public void writeAll(int plane, int prompt, int blocks, int content, Map<Integer, WriteResponse.Outcome> outcomes) {
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
        try {
            answers.await();
        } finally {
            for (StreamingWriteResponse answer : answers.arrived()) {
                answer.getResultsList().stream()
                        .filter(result -> !result.hasStatus())
                        .forEach(result -> outcomes.put(
                                result.getIndex(), result.getWrite().getOutcome()));
            }
        }
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

    /** Sends a half of a block through a stream, and leaves after a time. */
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
        answers.await();
    }

    /** The length of the stored prefix of a prompt, in blocks. */
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

    /** The length of the stored prefix of a prompt, in blocks. The call names the prompt by its tokens. */
    public int lookUpTokens(int plane, int prompt) {
        return stub(plane)
                .lookup(LookupRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setPartition(SimulatedPrompts.PARTITION.name())
                        .setBlockTokens(SimulatedPrompts.PARTITION.blockTokens())
                        .addAllTokens(prompts.tokens(prompt))
                        .build())
                .getCachedBlocks();
    }

    /** The lengths of the stored prefix of a prompt in the partition, and in one that nobody writes, in blocks. */
    public List<Integer> lookUpAll(int plane, int prompt) {
        return stub(plane)
                .lookupAll(LookupAllRequest.newBuilder()
                        .setResourceName(DataPlaneProcess.RESOURCE)
                        .setBlockTokens(SimulatedPrompts.PARTITION.blockTokens())
                        .addAllTokens(prompts.tokens(prompt))
                        .addPartitions(PartitionQuery.newBuilder().setPartition(SimulatedPrompts.PARTITION.name()))
                        .addPartitions(PartitionQuery.newBuilder().setPartition(UNWRITTEN))
                        .build())
                .getPartitionsList()
                .stream()
                .map(PartitionPrefix::getCachedBlocks)
                .toList();
    }

    private ByteString location(int prompt, int block) {
        return WireNames.field(new Location(SimulatedPrompts.PARTITION.root(), prompts.hash(prompt, block)));
    }

    /** The content of a block, {@link #MISSING}, or {@link #DAMAGED}. */
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
            return switch (e.getStatus().getCode()) {
                case NOT_FOUND -> MISSING;
                case DATA_LOSS -> DAMAGED;
                default -> throw e;
            };
        }
    }

    /**
     * Reads the first blocks of a prompt through one stream.
     *
     * @param contents gets the contents that arrive, even if the stream fails afterwards
     */
    public void readAll(int plane, int prompt, int blocks, List<Integer> contents) {
        Answers<StreamingReadResponse> answers = new Answers<>();
        StreamObserver<StreamingReadRequest> reading = streams(plane).streamingRead(answers);
        StreamingReadRequest.Builder request =
                StreamingReadRequest.newBuilder().setResourceName(DataPlaneProcess.RESOURCE);
        for (int block = 0; block < blocks; block++) {
            request.addLocations(location(prompt, block));
        }
        reading.onNext(request.build());
        reading.onCompleted();
        try {
            answers.await();
        } finally {
            for (StreamingReadResponse answer : answers.arrived()) {
                answer.getPartsList().forEach(part -> contents.add(content(part, prompt)));
            }
        }
    }

    /** The content of a block. Blocks are so small that each is one part. */
    private static int content(ReadPart part, int prompt) {
        if (part.hasStatus()) {
            int code = part.getStatus().getCode();
            return code == NOT_FOUND ? MISSING : code == DATA_LOSS ? DAMAGED : FAILED;
        }
        return SimulatedPrompts.content(part.getBytes(), prompt, part.getIndex());
    }
}
