package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.testing.Patience;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Refusals whose details are not what gRPC promises: every operation ends with the status all the same. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class OddAnswersTest {
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Details that make reading them fail. */
    enum Oddity {
        OF_ANOTHER_STATUS(details(Status.Code.INTERNAL)),
        MALFORMED(ByteString.copyFrom(new byte[] {1, 2, 3})),
        AN_ENDLESS_DELAY(delay(Long.MAX_VALUE, 999_999_999)),
        A_DELAY_OF_NANOSECONDS_BEYOND_THE_LAST_SECOND(delay(Long.MAX_VALUE, Integer.MAX_VALUE)),
        A_DELAY_BEFORE_NOW(delay(Long.MIN_VALUE, Integer.MIN_VALUE));

        private final ByteString details;

        Oddity(ByteString details) {
            this.details = details;
        }

        private static ByteString details(Status.Code code) {
            return SdkBlocks.status(code).toByteString();
        }

        private static ByteString delay(long seconds, int nanos) {
            return SdkBlocks.status(Status.Code.RESOURCE_EXHAUSTED).toBuilder()
                    .addDetails(Any.pack(RetryInfo.newBuilder()
                            .setRetryDelay(com.google.protobuf.Duration.newBuilder()
                                    .setSeconds(seconds)
                                    .setNanos(nanos))
                            .build()))
                    .build()
                    .toByteString();
        }
    }

    private volatile Oddity oddity = Oddity.MALFORMED;

    @AutoClose
    private final ScriptedServer server = new ScriptedServer(new Odd());

    @AutoClose
    private final KvClient client;

    OddAnswersTest(TransportOptions.Stack stack) {
        client = KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .deadline(Duration.ofSeconds(20))
                .retry(RetryOptions.DEFAULT.withMaxAttempts(2))
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .build();
    }

    static java.util.stream.Stream<Arguments> operations() {
        BlockChain chain = SdkBlocks.chain(1);
        return java.util.stream.Stream.of(
                Arguments.argumentSet("lookup", of(client -> client.lookup(SdkBlocks.PARTITION, chain))),
                Arguments.argumentSet("readBlock", of(client -> client.readBlock(chain.location(0)))),
                Arguments.argumentSet(
                        "write", of(client -> client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, 9)))),
                Arguments.argumentSet("read", of(client -> client.read(chain).next())),
                Arguments.argumentSet("writer", of(OddAnswersTest::writeOne)));
    }

    private static Consumer<KvClient> of(Consumer<KvClient> operation) {
        return operation;
    }

    private static void writeOne(KvClient client) {
        try (BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            CompletableFuture<WriteResult> future = writer.write(SdkBlocks.newBlock(SdkBlocks.chain(1), 0, 9));
            writer.finish();
            try {
                future.join();
            } catch (java.util.concurrent.CompletionException e) {
                throw (KvStoreException) e.getCause();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationEndsWithTheStatusWhateverItsDetailsAre(Consumer<KvClient> operation) {
        for (Oddity each : Oddity.values()) {
            oddity = each;
            CompletableFuture<Void> end =
                    CompletableFuture.runAsync(() -> operation.accept(client), Thread::startVirtualThread);
            assertThat(end)
                    .as("%s", each)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
        }
    }

    private final class Odd extends StoringScript {
        private StatusRuntimeException refusal() {
            Metadata trailers = new Metadata();
            trailers.put(DETAILS, oddity.details.toByteArray());
            return Status.RESOURCE_EXHAUSTED.withDescription("too much").asRuntimeException(trailers);
        }

        @Override
        public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
            answer.onError(refusal());
        }

        @Override
        public void read(ReadRequest request, StreamObserver<ReadResponse> answer) {
            answer.onError(refusal());
        }

        @Override
        public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
            answer.onError(refusal());
        }

        @Override
        public StreamObserver<StreamingReadRequest> streamingRead(StreamObserver<StreamingReadResponse> answer) {
            answer.onError(refusal());
            return super.streamingRead(answer);
        }

        @Override
        public StreamObserver<StreamingWriteRequest> streamingWrite(StreamObserver<StreamingWriteResponse> answer) {
            answer.onError(refusal());
            return super.streamingWrite(answer);
        }
    }
}
