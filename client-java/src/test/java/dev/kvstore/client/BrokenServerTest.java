package dev.kvstore.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The client against servers that break as their scripts say. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class BrokenServerTest {
    private static final int BYTES = 300_000;

    private final TransportOptions.Stack stack;
    private final Map<ByteString, PromptChunk> blocks = new ConcurrentHashMap<>();

    BrokenServerTest(TransportOptions.Stack stack) {
        this.stack = stack;
    }

    @Test
    void anUnavailableServerIsAskedAgain() {
        try (ScriptedServer server = new ScriptedServer(refusingLookups(2, Status.Code.UNAVAILABLE, null));
                KvClient client = client(server)) {
            assertThat(client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(2)).cachedBlocks())
                    .isZero();
            assertThat(client.counters().retries()).isEqualTo(2);
        }
    }

    @Test
    void anOverloadedServerIsLeftAloneAsLongAsItAsks() {
        Duration hint = Duration.ofMillis(300);
        try (ScriptedServer server = new ScriptedServer(refusingLookups(1, Status.Code.RESOURCE_EXHAUSTED, hint));
                KvClient client = client(server)) {
            long before = System.nanoTime();
            client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(2));
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(hint);
        }
    }

    @Test
    void whatCannotSucceedIsNotRetried() {
        try (ScriptedServer server = new ScriptedServer(refusingLookups(9, Status.Code.PERMISSION_DENIED, null));
                KvClient client = client(server)) {
            KvStoreException failure = catchThrowableOfType(
                    KvStoreException.class, () -> client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(2)));
            assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(failure.retryable()).isFalse();
            assertThat(server.credentials()).hasSize(1);
        }
    }

    @Test
    void attemptsAreLimited() {
        try (ScriptedServer server = new ScriptedServer(refusingLookups(99, Status.Code.UNAVAILABLE, null));
                KvClient client = client(server)) {
            assertThatThrownBy(() -> client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(2)))
                    .isInstanceOf(KvStoreException.class)
                    .hasMessageContaining("UNAVAILABLE");
            assertThat(server.credentials()).hasSize(4);
        }
    }

    @Test
    void aServerThatNeverAnswersMeetsTheDeadline() {
        StoringScript silent = new StoringScript() {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {}
        };
        try (ScriptedServer server = new ScriptedServer(silent);
                KvClient client = client(server)) {
            CallOptions hurry = CallOptions.DEFAULT.withDeadline(Duration.ofMillis(200));
            assertThatThrownBy(() -> client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(2), hurry))
                    .isInstanceOfSatisfying(
                            KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
        }
    }

    @Test
    void aReadWhoseServerDiesGoesOnAtAnother() {
        BlockChain chain = SdkBlocks.chain(8);
        store(chain);
        AtomicReference<@Nullable ScriptedServer> dying = new AtomicReference<>();
        StoringScript mortal = new StoringScript(blocks) {
            @Override
            void send(
                    int index,
                    @Nullable PromptChunk chunk,
                    int partBytes,
                    StreamObserver<StreamingReadResponse> answer) {
                if (index < 3) {
                    super.send(index, chunk, partBytes, answer);
                } else if (index == 3) {
                    send(SdkBlocks.parts(index, requireNonNull(chunk), partBytes).getFirst().toBuilder(), answer);
                    requireNonNull(dying.get()).close();
                }
            }

            @Override
            void end(StreamObserver<?> answer) {}
        };
        try (ScriptedServer first = new ScriptedServer(mortal);
                ScriptedServer second = new ScriptedServer(new StoringScript(blocks));
                KvClient client = client(first, second)) {
            dying.set(first);
            CallOptions toFirst = CallOptions.DEFAULT.withAffinity(affinityTo(first, client));
            try (BlockStream stream = client.read(chain, toFirst)) {
                assertThat(payloads(stream)).hasSize(8).allMatch(payload -> payload.length == BYTES);
            }
            assertThat(client.counters().retries()).isEqualTo(1);
        }
    }

    @Test
    void blocksThatArrivedBeforeTheDeadlineAreDelivered() {
        BlockChain chain = SdkBlocks.chain(4);
        store(chain);
        StoringScript stalling = new StoringScript(blocks) {
            @Override
            void send(
                    int index,
                    @Nullable PromptChunk chunk,
                    int partBytes,
                    StreamObserver<StreamingReadResponse> answer) {
                if (index < 2) {
                    super.send(index, chunk, partBytes, answer);
                }
            }

            @Override
            void end(StreamObserver<?> answer) {}
        };
        try (ScriptedServer server = new ScriptedServer(stalling);
                KvClient client = client(server);
                BlockStream stream = client.read(chain, CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(4)))) {
            assertThat(stream.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Found.class, f -> f.block().close());
            assertThat(stream.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Found.class, f -> f.block().close());
            assertThatThrownBy(stream::next).hasMessageContaining("DEADLINE_EXCEEDED");
        }
    }

    @Test
    void aCorruptedByteIsDataLossOfThatBlockOnly() {
        BlockChain chain = SdkBlocks.chain(3);
        store(chain);
        StoringScript corrupting = new StoringScript(blocks) {
            @Override
            void send(ReadPart.Builder part, StreamObserver<StreamingReadResponse> answer) {
                if (part.getIndex() == 1 && part.getLast()) {
                    byte[] bytes = part.getBytes().toByteArray();
                    bytes[7] ^= 1;
                    part.setBytes(ByteString.copyFrom(bytes));
                }
                super.send(part, answer);
            }
        };
        try (ScriptedServer server = new ScriptedServer(corrupting);
                KvClient client = client(server);
                BlockStream stream = client.read(chain)) {
            assertThat(stream.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Found.class, f -> f.block().close());
            assertThat(stream.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Failed.class,
                            f -> assertThat(f.reason().code()).isEqualTo(ErrorCode.DATA_LOSS));
            assertThat(stream.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Found.class, f -> f.block().close());
            assertThat(client.counters().damagedBlocks()).isEqualTo(1);
        }
    }

    @Test
    void aWriteWhoseServerDiesIsSentAgainToAnother() {
        BlockChain chain = SdkBlocks.chain(10);
        AtomicReference<@Nullable ScriptedServer> dying = new AtomicReference<>();
        StoringScript mortal = new StoringScript(blocks) {
            @Override
            void finished(
                    Partition partition, int index, PromptChunk chunk, StreamObserver<StreamingWriteResponse> answer) {
                if (index < 4) {
                    super.finished(partition, index, chunk, answer);
                } else {
                    requireNonNull(dying.get()).close();
                }
            }

            @Override
            void end(StreamObserver<?> answer) {}
        };
        try (ScriptedServer first = new ScriptedServer(mortal);
                ScriptedServer second = new ScriptedServer(new StoringScript(blocks));
                KvClient client = client(first, second)) {
            dying.set(first);
            CallOptions toFirst = CallOptions.DEFAULT.withAffinity(affinityTo(first, client));
            List<CompletableFuture<WriteResult>> results = new ArrayList<>();
            try (BlockWriter writer = client.writer(SdkBlocks.PARTITION, toFirst)) {
                for (int i = 0; i < 10; i++) {
                    results.add(writer.write(SdkBlocks.newBlock(chain, i, BYTES)));
                }
                writer.finish();
            }
            assertThat(results).allSatisfy(result -> assertThat(result).isCompleted());
            assertThat(blocks).hasSize(10);
        }
    }

    @Test
    void aWriterThatIsClosedEarlyCancelsWhatIsNotAcknowledged() {
        StoringScript silent = new StoringScript(blocks) {
            @Override
            void finished(
                    Partition partition, int index, PromptChunk chunk, StreamObserver<StreamingWriteResponse> answer) {}
        };
        try (ScriptedServer server = new ScriptedServer(silent);
                KvClient client = client(server)) {
            CompletableFuture<WriteResult> result;
            try (BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
                result = writer.write(SdkBlocks.newBlock(SdkBlocks.chain(1), 0, BYTES));
            }
            assertThat(result).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining("CANCELLED");
        }
    }

    private StoringScript refusingLookups(int times, Status.Code code, @Nullable Duration hint) {
        AtomicInteger left = new AtomicInteger(times);
        return new StoringScript(blocks) {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
                if (left.getAndDecrement() <= 0) {
                    super.lookup(request, answer);
                    return;
                }
                com.google.rpc.Status.Builder status = SdkBlocks.status(code).toBuilder();
                if (hint != null) {
                    status.addDetails(Any.pack(RetryInfo.newBuilder()
                            .setRetryDelay(
                                    com.google.protobuf.Duration.newBuilder().setNanos((int) hint.toNanos()))
                            .build()));
                }
                answer.onError(StatusProto.toStatusException(status.build()));
            }
        };
    }

    /** A key that goes to this server, found by trying. */
    static String affinityTo(ScriptedServer server, KvClient client) {
        for (int i = 0; ; i++) {
            int before = server.credentials().size();
            String key = "conversation-" + i;
            client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1), CallOptions.DEFAULT.withAffinity(key));
            if (server.credentials().size() > before) {
                return key;
            }
        }
    }

    private static List<byte[]> payloads(BlockStream stream) {
        List<byte[]> payloads = new ArrayList<>();
        for (BlockResult result : stream) {
            payloads.add(SdkBlocks.bytes(((BlockResult.Found) result).block()));
        }
        return payloads;
    }

    private void store(BlockChain chain) {
        for (int i = 0; i < chain.size(); i++) {
            blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, BYTES));
        }
    }

    private KvClient client(ScriptedServer... servers) {
        String[] endpoints =
                List.of(servers).stream().map(ScriptedServer::endpoint).toArray(String[]::new);
        return KvClient.builder()
                .endpoints(endpoints)
                .apiKey("kv_test")
                .resource("demo")
                .partBytes(131_072)
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .build();
    }
}
