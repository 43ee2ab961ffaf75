package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads and lookups that end before their time, or may take for ever. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class ReadEndsTest {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
    private static final int BYTES = 300_000;

    private final TransportOptions.Stack stack;
    private final BlockChain chain = SdkBlocks.chain(4);
    private final StoringScript whole = new StoringScript();

    ReadEndsTest(TransportOptions.Stack stack) {
        this.stack = stack;
        for (int i = 0; i < chain.size(); i++) {
            whole.blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, BYTES));
        }
    }

    @Test
    void aDeadlineMayBeForever() {
        try (ScriptedServer server = new ScriptedServer(whole);
                KvClient client = builder(server)
                        .deadline(FOREVER)
                        .serverStallTimeout(FOREVER)
                        .retry(new RetryOptions(4, FOREVER, FOREVER, 10, 10))
                        .transport(new TransportOptions(1 << 20, FOREVER, FOREVER, FOREVER, FOREVER, 1, stack))
                        .build()) {
            assertThat(client.lookup(SdkBlocks.PARTITION, chain).cachedBlocks()).isEqualTo(4);
            Subscriber subscriber = new Subscriber();

            client.async().read(chain).subscribe(subscriber);

            assertThat(subscriber.end).succeedsWithin(Patience.LIMIT);
        }
    }

    @Test
    void aSubscriberHearsOfAReadThatCannotBegin() {
        try (ScriptedServer server = new ScriptedServer(whole);
                KvAsyncClient client = builder(server).buildAsync()) {
            List<dev.kvstore.protocol.block.Location> none = new ArrayList<>();
            none.add(null);
            Subscriber subscriber = new Subscriber();

            client.read(none, CallOptions.DEFAULT).subscribe(subscriber);

            assertThat(subscriber.end)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withCauseInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void healthyStreamsThatAreClosedEarlyCountNoDamage() {
        try (ScriptedServer server = new ScriptedServer(whole);
                KvClient client = builder(server).build()) {
            for (int i = 0; i < 300; i++) {
                try (BlockStream stream = client.read(chain)) {
                    for (int taken = 0; taken < i % 3; taken++) {
                        assertThat(stream.next())
                                .isInstanceOfSatisfying(
                                        BlockResult.Found.class,
                                        found -> found.block().close());
                    }
                }
            }
            assertThat(client.lookup(SdkBlocks.PARTITION, chain).cachedBlocks()).isEqualTo(4);
            assertThat(client.counters().damagedBlocks()).isZero();
        }
    }

    @Test
    void aStreamThatAnotherThreadClosesIsClosedAndBlamesNobody() {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        StoringScript silent = new StoringScript(whole.blocks) {
            @Override
            void send(
                    int index,
                    @Nullable PromptChunk chunk,
                    int partBytes,
                    StreamObserver<StreamingReadResponse> answer) {
                asked.complete(null);
            }

            @Override
            void end(StreamObserver<?> answer) {}
        };
        try (ScriptedServer server = new ScriptedServer(silent);
                KvClient client = builder(server).build()) {
            BlockStream stream = client.read(chain);
            CompletableFuture<KvStoreException> end = new CompletableFuture<>();
            Thread reader = Thread.ofVirtual()
                    .start(() -> end.complete(catchThrowableOfType(KvStoreException.class, stream::next)));
            asked.join();
            await().until(() -> reader.getState() == Thread.State.WAITING);

            stream.close();

            assertThat(end).succeedsWithin(Patience.LIMIT);
            assertThat(end.join().code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(client.counters().ejections()).isZero();
            assertThat(client.counters().retries()).isZero();
        }
    }

    @Test
    void aDeadlineThatNoProcessCouldMeetBlamesNone() {
        StoringScript silent = new StoringScript() {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {}
        };
        CallOptions hurry = CallOptions.DEFAULT.withDeadline(Duration.ofNanos(60_000));
        try (ScriptedServer server = new ScriptedServer(silent);
                KvClient client = builder(server).build()) {
            for (int i = 0; i < 50; i++) {
                assertThatThrownBy(() -> client.lookup(SdkBlocks.PARTITION, chain, hurry))
                        .isInstanceOf(KvStoreException.class);
            }
            assertThat(client.counters().ejections()).isZero();
        }
    }

    private KvClientBuilder builder(ScriptedServer server) {
        return KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .partBytes(131_072)
                .transport(TransportOptions.DEFAULT.withStack(stack));
    }

    private static final class Subscriber implements Flow.Subscriber<BlockResult> {
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(BlockResult result) {
            ((BlockResult.Found) result).block().close();
        }

        @Override
        public void onError(Throwable reason) {
            end.completeExceptionally(reason);
        }

        @Override
        public void onComplete() {
            end.complete(null);
        }
    }
}
