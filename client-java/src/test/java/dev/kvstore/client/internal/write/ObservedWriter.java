package dev.kvstore.client.internal.write;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.internal.FakeProcesses;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResponse.Outcome;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.MethodDescriptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A writer of a prompt's blocks, and the calls with which it sends them. */
final class ObservedWriter implements AutoCloseable {
    static final int PART_BYTES = 4096;
    static final BlockChain CHAIN = SdkBlocks.chain(8);
    static final MethodDescriptor<LongMessage, StreamingWriteResponse> METHOD =
            LongMessage.asking(KvStoreMethods.ClientMethods.STREAMING_WRITE);
    static final RetryOptions TWICE = new RetryOptions(2, Duration.ofMillis(50), Duration.ofSeconds(2), 100, 1000);

    final FakeProcesses processes;
    private final AtomicInteger ends = new AtomicInteger();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    final PumpedBlockWriter writer;

    ObservedWriter(String... names) {
        this(1 << 20, TWICE, names);
    }

    ObservedWriter(int windowBytes, RetryOptions retry, String... names) {
        this.processes = new FakeProcesses(retry, names);
        this.writer = new PumpedBlockWriter(
                SdkBlocks.PARTITION,
                FakeProcesses.options(PART_BYTES, 1 << 20, windowBytes),
                processes.operation(Duration.ofMinutes(1)),
                done -> end.complete(ends.incrementAndGet()));
    }

    /** Waits until the writer has ended. */
    void awaitEnd() throws Exception {
        end.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** The ends that the writer's client has heard of. */
    int ends() {
        return ends.get();
    }

    CompletableFuture<dev.kvstore.client.WriteResult> write(int block, int bytes) {
        return writer.write(SdkBlocks.newBlock(CHAIN, block, bytes));
    }

    TransportCall<LongMessage, StreamingWriteResponse> call() throws InterruptedException {
        return processes.next(METHOD);
    }

    /** The request with which the next part was sent. */
    static StreamingWriteRequest sent(TransportCall<LongMessage, StreamingWriteResponse> call)
            throws InterruptedException {
        return parsed(call.nextSent());
    }

    static StreamingWriteRequest parsed(LongMessage message) {
        try {
            return StreamingWriteRequest.parseFrom(message.head().concat(ByteString.copyFrom(message.bytes())));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("what is sent is a request", e);
        }
    }

    /** The answer that a block was stored. */
    static WriteResponse stored(int block, int bytes) {
        return WriteResponse.newBuilder()
                .setLocation(WireNames.field(CHAIN.location(block)))
                .setOutcome(Outcome.STORED)
                .setStoredCrc32C(Crc32c.of(ByteBuffer.wrap(SdkBlocks.payload(block, bytes))))
                .setStoredBytes(bytes)
                .build();
    }

    /** The results of a stream's blocks, which were stored. */
    static StreamingWriteResponse result(int index, int block, int bytes) {
        return StreamingWriteResponse.newBuilder()
                .addResults(WriteResult.newBuilder().setIndex(index).setWrite(stored(block, bytes)))
                .build();
    }

    @Override
    public void close() {
        writer.close();
    }
}
