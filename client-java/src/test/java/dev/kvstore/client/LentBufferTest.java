package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Buffers that their owner frees as soon as their futures complete: reading one afterwards fails here, or crashes. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class LentBufferTest {
    private static final int LONG_BYTES = 32 << 20;
    private static final int SHORT_BYTES = 300_000;

    private final TransportOptions.Stack stack;
    private final BlockChain chain = SdkBlocks.chain(2);

    LentBufferTest(TransportOptions.Stack stack) {
        this.stack = stack;
    }

    @Test
    void aBlockThatIsAnsweredBeforeItsLastPartIsNotReadOnceItsFutureHasCompleted() {
        try (ScriptedServer server = new ScriptedServer(refusingTheFirstBlockAtItsFirstPart());
                KvClient client = client(server);
                BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            LentBlock refused = new LentBlock(writer, 0, LONG_BYTES);
            CompletableFuture<dev.kvstore.client.WriteResult> next =
                    writer.write(SdkBlocks.newBlock(chain, 1, SHORT_BYTES));

            writer.finish();

            assertThat(next).succeedsWithin(Patience.LIMIT);
            assertThat(refused.freed).succeedsWithin(Patience.LIMIT);
            assertThatThrownBy(refused.future::join).hasMessageContaining("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void aBlockWhoseFutureIsCancelledIsNotReadOnceTheFutureHasCompleted() {
        StallingScript server = new StallingScript();
        withdrawn(server, lent -> {
            lent.future.cancel(true);
            assertThat(lent.freed).succeedsWithin(Patience.LIMIT);
            assertThatThrownBy(lent.future::join).isInstanceOf(CancellationException.class);
        });
    }

    @Test
    void aBlockWhoseFutureTimesOutIsNotReadOnceTheFutureHasCompleted() {
        StallingScript server = new StallingScript();
        withdrawn(server, lent -> {
            assertThat(lent.future.orTimeout(1, TimeUnit.MILLISECONDS))
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withCauseInstanceOf(TimeoutException.class);
            assertThat(lent.freed).succeedsWithin(Patience.LIMIT);
        });
    }

    /** Withdraws a block of which the server has taken a part; the next block is written all the same. */
    private void withdrawn(StallingScript script, java.util.function.Consumer<LentBlock> withdraw) {
        try (ScriptedServer server = new ScriptedServer(script);
                KvClient client = client(server);
                BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            LentBlock lent = new LentBlock(writer, 0, LONG_BYTES);
            CompletableFuture<dev.kvstore.client.WriteResult> next =
                    writer.write(SdkBlocks.newBlock(chain, 1, SHORT_BYTES));
            ServerCallStreamObserver<StreamingWriteResponse> call = script.begun.join();

            withdraw.accept(lent);

            call.request(Integer.MAX_VALUE);
            assertThat(next).succeedsWithin(Patience.LIMIT);
            writer.finish();
        }
    }

    /** A block whose buffer is freed by what hangs on its future. */
    private final class LentBlock {
        private final CompletableFuture<dev.kvstore.client.WriteResult> future;
        private final CompletableFuture<?> freed;

        private LentBlock(BlockWriter writer, int index, int bytes) {
            Arena memory = Arena.ofShared();
            int size = SdkBlocks.PARTITION.blockTokens();
            Tokens tokens = Tokens.slice(SdkBlocks.tokens(chain.size()), index * size, size);
            future = writer.write(
                    NewBlock.of(chain, index, tokens, memory.allocate(bytes).asByteBuffer()));
            freed = future.handle((result, failure) -> {
                memory.close();
                return true;
            });
        }
    }

    private static StoringScript refusingTheFirstBlockAtItsFirstPart() {
        return new StoringScript() {
            @Override
            public StreamObserver<StreamingWriteRequest> streamingWrite(StreamObserver<StreamingWriteResponse> answer) {
                StreamObserver<StreamingWriteRequest> storing = super.streamingWrite(answer);
                return new ScriptedRequests<>(answer) {
                    @Override
                    public void onNext(StreamingWriteRequest request) {
                        List<WritePart> others = request.getPartsList().stream()
                                .filter(part -> part.getIndex() != 0)
                                .toList();
                        if (request.getPartsList().stream().anyMatch(WritePart::hasHead) && others.isEmpty()) {
                            answer.onNext(StreamingWriteResponse.newBuilder()
                                    .addResults(WriteResult.newBuilder()
                                            .setStatus(SdkBlocks.status(Status.Code.RESOURCE_EXHAUSTED)))
                                    .build());
                        }
                        storing.onNext(request.toBuilder()
                                .clearParts()
                                .addAllParts(others)
                                .build());
                    }
                };
            }
        };
    }

    /** Takes one message of a streaming write, and the rest when the test asks for it. */
    private static final class StallingScript extends StoringScript {
        private final CompletableFuture<ServerCallStreamObserver<StreamingWriteResponse>> begun =
                new CompletableFuture<>();

        @Override
        public StreamObserver<StreamingWriteRequest> streamingWrite(StreamObserver<StreamingWriteResponse> answer) {
            ServerCallStreamObserver<StreamingWriteResponse> call =
                    (ServerCallStreamObserver<StreamingWriteResponse>) answer;
            call.disableAutoRequest();
            call.request(1);
            StreamObserver<StreamingWriteRequest> storing = super.streamingWrite(answer);
            return new ScriptedRequests<>(answer) {
                @Override
                public void onNext(StreamingWriteRequest request) {
                    storing.onNext(request);
                    begun.complete(call);
                }
            };
        }
    }

    private KvClient client(ScriptedServer server) {
        return KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .partBytes(131_072)
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .build();
    }
}
