package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An operation is cancelled when its client is closed. */
class ClosedClientTest {
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final BlockChain chain = SdkBlocks.chain(2);
    private final SilentScript script = new SilentScript();
    private final ScriptedServer server = new ScriptedServer(script);
    private final KvClient client = KvClient.builder()
            .endpoints(server.endpoint())
            .apiKey("kv_test")
            .resource("demo")
            .build();

    /** Answers no lookup and no read, or asks for time. */
    private static final class SilentScript extends StoringScript {
        private final CountDownLatch asked = new CountDownLatch(1);
        private volatile boolean asksForTime;

        @Override
        public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
            asked.countDown();
            if (asksForTime) {
                answer.onError(StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                        .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
                        .addDetails(Any.pack(RetryInfo.newBuilder()
                                .setRetryDelay(Duration.newBuilder().setSeconds(20))
                                .build()))
                        .build()));
            }
        }

        @Override
        public StreamObserver<StreamingReadRequest> streamingRead(StreamObserver<StreamingReadResponse> answer) {
            asked.countDown();
            return new ScriptedRequests<>(answer) {
                @Override
                public void onNext(StreamingReadRequest request) {}

                @Override
                public void onCompleted() {
                    // The answer never comes; without it the stream would end here, before or after the client closes.
                }
            };
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void anOperationThatWaitsForItsAnswerIsCancelled() throws InterruptedException {
        CompletableFuture<Prefix> lookup =
                CompletableFuture.supplyAsync(() -> client.lookup(SdkBlocks.PARTITION, chain), THREADS);
        script.asked.await();

        client.close();

        assertCancelled(lookup);
    }

    @Test
    void anOperationThatIsAboutToBeTriedAgainIsCancelled() {
        script.asksForTime = true;
        CompletableFuture<Prefix> lookup =
                CompletableFuture.supplyAsync(() -> client.lookup(SdkBlocks.PARTITION, chain), THREADS);
        await().atMost(Patience.LIMIT).until(() -> client.counters().retries() > 0);

        client.close();

        assertCancelled(lookup);
    }

    @Test
    void anOperationThatBeginsAfterwardsIsCancelled() {
        client.close();

        assertThatThrownBy(() -> client.lookup(SdkBlocks.PARTITION, chain))
                .isInstanceOf(KvStoreException.class)
                .hasMessage("CANCELLED: the client is closed");
    }

    @Test
    void aStreamThatWaitsForABlockIsCancelled() throws InterruptedException {
        try (BlockStream blocks = client.read(chain)) {
            CompletableFuture<BlockResult> next = CompletableFuture.supplyAsync(blocks::next, THREADS);
            script.asked.await();

            client.close();

            assertCancelled(next);
        }
    }

    @Test
    void blocksThatAWriterIsGivenAfterwardsAreCancelled() {
        try (BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            assertThat(writer.write(SdkBlocks.newBlock(chain, 0, 1000))).succeedsWithin(Patience.LIMIT);

            client.close();

            assertCancelled(writer.write(SdkBlocks.newBlock(chain, 1, 1000)));
            writer.finish();
        }
    }

    private static void assertCancelled(CompletableFuture<?> operation) {
        assertThat(operation)
                .failsWithin(Patience.LIMIT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(KvStoreException.class)
                .withMessage("CANCELLED: the client is closed");
    }
}
