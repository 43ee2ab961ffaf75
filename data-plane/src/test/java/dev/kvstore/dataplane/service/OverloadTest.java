package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More calls than a process serves at a time. Storage is the bottleneck and answers as many reads a tick as the test
 * says, so that what is counted does not depend on how fast the machine is.
 */
@Tag("slow")
final class OverloadTest {
    private static final StorageLocation LOCATION = new StorageLocation.Filesystem(Path.of("in-memory"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PER_TICK = 20;

    private final PacedStore storage = new PacedStore(new MemoryStore());
    private DataPlaneFixture server = start(100);

    private DataPlaneFixture start(int operations) {
        // Nothing stays in memory: every read goes to storage.
        return new DataPlaneFixture(
                LOCATION,
                _ -> storage.store(),
                Map.of(
                        "max-operations",
                        Integer.toString(operations),
                        "memory-tier-size",
                        "0",
                        "max-calls-per-connection",
                        "10000"));
    }

    private void restart(int operations) {
        server.close();
        server = start(operations);
    }

    @AfterEach
    void nothingIsLeftRunning() {
        storage.answer(100_000);
        try {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(server.admission().blocks().running()).isZero();
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    @Test
    void theHundredAndFirstOperationIsRefusedAtOnceAndTheHundredGoOn() {
        List<ByteString> blocks = written(101);
        List<StreamCalls.CollectedAnswers<StreamingReadResponse>> streams =
                blocks.subList(0, 100).stream().map(this::stream).toList();
        awaitInStorage(100);

        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> MainJobContract.read(server, blocks.getLast()))
                .satisfies(refusal -> {
                    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                    assertThat(retryMillis(refusal)).isBetween(20L, 6_000L);
                });
        assertThat(stream(blocks.getLast()).status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(storage.reads()).isEqualTo(100);

        storage.answer(100);
        assertThat(streams)
                .allSatisfy(stream -> assertThat(stream.status()).isEqualTo(Status.OK))
                .allSatisfy(stream -> assertThat(
                                stream.await().getFirst().getParts(0).hasHead())
                        .isTrue());
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS))
                .isEqualTo(2);
    }

    @Test
    void lookupsAreServedWhileBlocksTakeAllTheirPlaces() {
        restart(1);
        List<PromptChunk> chain = TestChains.chain(3, 512, 1);
        ByteString block = MainJobContract.writeAll(server, chain).getFirst();
        StreamCalls.CollectedAnswers<StreamingReadResponse> stream = stream(block);
        awaitInStorage(1);

        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isEqualTo(3);
        storage.answer(1);
        assertThat(stream.status()).isEqualTo(Status.OK);
    }

    @Test
    void goodputStaysAtItsPeakUnderTenTimesTheLoadAndRecoversAtOnce() {
        restart(PER_TICK);
        OfferedLoad load = new OfferedLoad(written(PER_TICK * 10 * 12 + PER_TICK * 20));

        int peak = load.run(10, PER_TICK);
        int overloaded = load.run(10, 10 * PER_TICK);
        int recovered = load.run(1, PER_TICK);

        assertThat(peak).as("goodput of 10 ticks at 1x").isEqualTo(10 * PER_TICK);
        assertThat(overloaded).as("goodput of 10 ticks at 10x").isGreaterThanOrEqualTo(peak * 9 / 10);
        assertThat(recovered).as("goodput of the first tick at 1x again").isEqualTo(PER_TICK);
        assertThat(storage.reads())
                .as("reads of storage: none for a call that was refused")
                .isEqualTo(peak + overloaded + recovered);
    }

    @Test
    void withoutALimitTheSameLoadServesNobodyWhoHasLeft() {
        restart(100_000);
        OfferedLoad load = new OfferedLoad(written(PER_TICK * 10 * 12));

        int overloaded = load.run(10, 10 * PER_TICK);

        assertThat(overloaded).isEqualTo(10 * PER_TICK);
    }

    @Test
    void aCallOfTheSdkSucceedsAfterTheHintWithinItsBudget() {
        restart(1);
        List<ByteString> blocks = written(2);
        // The server has seen calls take seconds, so its hints are long enough for a slow machine.
        StreamCalls.CollectedAnswers<StreamingReadResponse> slow = stream(blocks.getFirst());
        awaitInStorage(1);
        server.advance(Duration.ofSeconds(10));
        storage.answer(1);
        assertThat(slow.status()).isEqualTo(Status.OK);
        StreamCalls.CollectedAnswers<StreamingReadResponse> stream = stream(blocks.getFirst());
        awaitInStorage(1);
        try (KvClient client = client(RetryOptions.DEFAULT.withMaxAttempts(20))) {
            CompletableFuture<Integer> read =
                    CompletableFuture.supplyAsync(() -> length(client, blocks.getLast()), Thread::startVirtualThread);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS) > 0);

            storage.answer(2);

            assertThat(read).succeedsWithin(PATIENCE).isEqualTo(512);
            assertThat(client.counters().retries()).isBetween(1L, 10L);
            assertThat(client.counters().retries())
                    .isEqualTo(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS));
        }
        assertThat(stream.status()).isEqualTo(Status.OK);
    }

    @Test
    void aFleetThatIsRefusedAddsNoMoreThanItsBudget() {
        restart(1);
        List<ByteString> blocks = written(2);
        StreamCalls.CollectedAnswers<StreamingReadResponse> stream = stream(blocks.getFirst());
        awaitInStorage(1);
        int burst = 5;
        try (KvClient client = client(new RetryOptions(20, Duration.ofMillis(1), Duration.ofMillis(2), 10, burst))) {
            for (int i = 0; i < 50; i++) {
                assertThatExceptionOfType(KvStoreException.class)
                        .isThrownBy(() -> length(client, blocks.getLast()))
                        .satisfies(refusal -> {
                            assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
                            assertThat(refusal.retryDelay()).isPositive();
                        });
            }
            assertThat(client.counters().retries()).isEqualTo(burst + 50 / 10);
        }
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS))
                .isEqualTo(50 + burst + 50 / 10);
        storage.answer(1);
        assertThat(stream.status()).isEqualTo(Status.OK);
    }

    private KvClient client(RetryOptions retry) {
        return KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey(DataPlaneFixture.KEY)
                .resource(DataPlaneFixture.RESOURCE)
                .deadline(Duration.ofSeconds(60))
                .retry(retry)
                .build();
    }

    private static int length(KvClient client, ByteString location) {
        try (var block = client.readBlock(WireNames.location(location))) {
            return block.length();
        }
    }

    private List<ByteString> written(int blocks) {
        return MainJobContract.writeAll(server, TestChains.chain(blocks, 512, 1));
    }

    private StreamCalls.CollectedAnswers<StreamingReadResponse> stream(ByteString location) {
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        requests.onNext(StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addLocations(location)
                .build());
        requests.onCompleted();
        return answers;
    }

    private void awaitInStorage(int reads) {
        Awaitility.await().atMost(PATIENCE).until(() -> storage.waiting() == reads);
    }

    private static long retryMillis(StatusRuntimeException refusal) {
        try {
            var status = Objects.requireNonNull(StatusProto.fromThrowable(refusal));
            return Durations.toMillis(
                    status.getDetails(0).unpack(RetryInfo.class).getRetryDelay());
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private record OverloadCall(CompletableFuture<Status> end, Context.CancellableContext context) {}

    /** Callers that begin so many calls a tick, each for a block of its own, and leave after two ticks. */
    private final class OfferedLoad {
        private final Iterator<ByteString> blocks;
        private final Map<OverloadCall, Integer> open = new HashMap<>();
        private final AtomicInteger refused = new AtomicInteger();
        private long begun;
        private long served;
        private int left;

        OfferedLoad(List<ByteString> blocks) {
            this.blocks = new ArrayList<>(blocks).iterator();
        }

        /** How many calls were answered, in that many ticks of so many calls. */
        int run(int ticks, int calls) {
            int answered = 0;
            for (int i = 0; i < ticks; i++) {
                answered += tick(calls);
            }
            return answered;
        }

        private int tick(int calls) {
            for (int i = 0; i < calls; i++) {
                open.put(begin(blocks.next()), 0);
            }
            begun += calls;
            // Every call is either refused or in storage's hands.
            Awaitility.await().atMost(PATIENCE).until(() -> {
                long reads = begun - refused.get();
                return storage.reads() == reads && storage.waiting() == reads - served - left;
            });
            open.keySet().removeIf(call -> call.end().isDone());
            int answers = Math.min(PER_TICK, storage.waiting());
            // Callers that have left wait in storage no more.
            int stay = open.size() - answers;
            storage.answer(answers);
            served += answers;
            Awaitility.await().atMost(PATIENCE).until(() -> stillOpen() == stay);
            int answered = (int) open.keySet().stream()
                    .filter(call -> call.end().getNow(Status.UNKNOWN).isOk())
                    .count();
            open.keySet().removeIf(call -> call.end().isDone());
            open.replaceAll((call, age) -> age + 1);
            open.entrySet().removeIf(entry -> leaves(entry.getKey(), entry.getValue()));
            return answered;
        }

        private boolean leaves(OverloadCall call, int age) {
            if (age < 2) {
                return false;
            }
            call.context().cancel(null);
            left++;
            return true;
        }

        private long stillOpen() {
            return open.keySet().stream().filter(call -> !call.end().isDone()).count();
        }

        private OverloadCall begin(ByteString location) {
            CompletableFuture<Status> end = new CompletableFuture<>();
            Context.CancellableContext context = Context.ROOT.withCancellation();
            context.run(() -> server.asyncStub()
                    .read(
                            ReadRequest.newBuilder()
                                    .setResourceName(DataPlaneFixture.RESOURCE)
                                    .setLocation(location)
                                    .build(),
                            new StreamObserver<ReadResponse>() {
                                @Override
                                public void onNext(ReadResponse answer) {}

                                @Override
                                public void onError(Throwable failure) {
                                    Status status = Status.fromThrowable(failure);
                                    if (end.complete(status) && status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                                        refused.incrementAndGet();
                                    }
                                }

                                @Override
                                public void onCompleted() {
                                    end.complete(Status.OK);
                                }
                            }));
            return new OverloadCall(end, context);
        }
    }
}
