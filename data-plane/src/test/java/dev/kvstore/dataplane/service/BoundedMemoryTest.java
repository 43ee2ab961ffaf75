package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PromptChunk;
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
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not keep their side: memory stays within the stated limits, and others are served. */
@Tag("slow")
final class BoundedMemoryTest {
    private static final long MIB = 1 << 20;
    private static final Map<String, String> SMALL = Map.of(
            "memory-tier-size", "8M",
            "transfer-memory", "32M",
            "stream-prefetch-memory", "8M",
            "unread-response-memory", "16M",
            "inbound-memory", "72M",
            "client-stall-timeout", "2s",
            "memory-wait-timeout", "1s");

    @TempDir
    private Path directory;

    private DataPlaneFixture server;

    @BeforeEach
    void start() {
        server = start(SMALL);
    }

    private DataPlaneFixture start(Map<String, String> settings) {
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                _ -> FilesystemStore.open(directory, InstantSource.system()),
                settings);
    }

    @AfterEach
    void everythingIsGivenBack() {
        try {
            Awaitility.await("everything is given back").untilAsserted(() -> {
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    @Test
    void readersThatNeverReadAreCutOffAndOthersServedMeanwhile() {
        List<ByteString> locations =
                new ArrayList<>(MainJobContract.writeAll(server, TestChains.chain(40, 1_200_000, 1)));
        List<Frozen<StreamingReadRequest, StreamingReadResponse>> readers = new ArrayList<>();
        List<AtomicReference<Metadata>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Frozen<StreamingReadRequest, StreamingReadResponse> reader = new Frozen<>();
            AtomicReference<Metadata> answered = new AtomicReference<>();
            answers.add(answered);
            StreamObserver<StreamingReadRequest> requests = server.asyncStub(server.narrowChannel())
                    .withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(answered, new AtomicReference<>()))
                    .streamingRead(reader);
            // Each begins elsewhere, so that what they hold is not the same few blocks.
            Collections.rotate(locations, 2);
            requests.onNext(StreamingReadRequest.newBuilder()
                    .setResourceName(DataPlaneFixture.RESOURCE)
                    .addAllLocations(locations)
                    .build());
            requests.onCompleted();
            readers.add(reader);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(server.transferBytes()).isPositive());

        PromptChunk other = TestChains.first(TestChains.buffer(1000, 99), 99);
        WriteResponse written = served(() -> server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, other)));

        assertThat(served(() -> MainJobContract.read(server, written.getLocation())))
                .isEqualTo(other);
        assertThat(server.transferBytes()).isLessThanOrEqualTo(40 * MIB);
        Awaitility.await("every reader is answered")
                .until(() -> answers.stream().noneMatch(answered -> answered.get() == null));
        Awaitility.await("every reader is cut off")
                .untilAsserted(() -> assertThat(server.calls().open()).isZero());
        Awaitility.await("their memory is given back")
                .untilAsserted(() -> assertThat(server.transferBytes()).isZero());
        assertThat(readers)
                .allSatisfy(reader ->
                        assertThat(reader.thaw().getCode()).isIn(Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED));
    }

    /** Calls again while the server refuses: for a moment, readers may hold all its memory. */
    private static <T> T served(Callable<T> call) {
        return Awaitility.await("another client is served")
                .ignoreExceptionsMatching(
                        refusal -> Status.fromThrowable(refusal).getCode() == Status.Code.RESOURCE_EXHAUSTED)
                .until(call, Objects::nonNull);
    }

    @Test
    void unaryReadersThatNeverReadAreRefusedBeyondTheLimitAndCutOff() {
        ByteString location = MainJobContract.writeAll(server, TestChains.chain(1, 6 << 20, 2))
                .getFirst();
        List<Frozen<ReadRequest, ReadResponse>> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Frozen<ReadRequest, ReadResponse> reader = new Frozen<>();
            server.asyncStub(server.narrowChannel())
                    .read(
                            ReadRequest.newBuilder()
                                    .setResourceName(DataPlaneFixture.RESOURCE)
                                    .setLocation(location)
                                    .build(),
                            reader);
            readers.add(reader);
        }

        Awaitility.await()
                .untilAsserted(() -> assertThat(server.unarySendBytes()).isPositive());
        Awaitility.await()
                .untilAsserted(() -> assertThat(server.unarySendBytes()).isZero());
        List<Status.Code> ends =
                readers.stream().map(reader -> reader.thaw().getCode()).toList();
        assertThat(ends)
                .contains(Status.Code.RESOURCE_EXHAUSTED)
                .doesNotContain(Status.Code.OK, Status.Code.INTERNAL, Status.Code.UNKNOWN);
    }

    @Test
    void aReaderThatNeverHalfClosesIsServedAndHoldsNothing() {
        List<PromptChunk> chain = TestChains.chain(10, 100_000, 3);
        List<ByteString> locations = MainJobContract.writeAll(server, chain);
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);

        requests.onNext(StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addAllLocations(locations)
                .build());

        Awaitility.await()
                .untilAsserted(() -> assertThat(StreamCalls.buffers(answers.soFar().stream()
                                .flatMap(answer -> answer.getPartsList().stream())
                                .toList()))
                        .hasSize(10)
                        .containsEntry(9, chain.get(9).getBuffer()));
        assertThat(server.transferBytes()).isZero();
    }

    @Test
    void aWriterThatStopsInTheMiddleOfABlockLosesIt() {
        StreamCalls.CollectedAnswers<StreamingWriteResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingWriteRequest> requests = server.asyncStub().streamingWrite(answers);

        requests.onNext(StreamingWriteRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setPartition(TestChains.PARTITION.name())
                .addParts(TestChains.parts(0, TestChains.first(TestChains.buffer(1_200_000, 4), 4), 4096)
                        .getFirst())
                .build());

        assertThat(answers.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(answers.await().getFirst().getResults(0).getStatus().getMessage())
                .startsWith("parts.last");
    }

    @Test
    void longAnswersToLookupsThatNobodyTakesAreRefusedBeyondTheLimitAndCutOff() {
        PromptChunk chunk = TestChains.first(TestChains.buffer(1000, 7), 7);
        DataPlaneFixture writer = start(Map.of());
        MainJobContract.writeAll(writer, List.of(chunk));
        // While somebody else is writing, filters deny nothing at first: the last block is found in storage and counts,
        // and with it all before. An answer of 4.4 MB.
        LookupRequest request = LookupRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setPartition(TestChains.PARTITION.name())
                .setBlockHashes(
                        ByteString.copyFrom(TestChains.buffer(65_535 * 32, 1)).concat(chunk.getHash()))
                .build();
        List<Frozen<LookupRequest, LookupResponse>> readers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Frozen<LookupRequest, LookupResponse> reader = new Frozen<>();
            server.asyncStub(server.narrowChannel()).lookup(request, reader);
            readers.add(reader);
        }

        Awaitility.await()
                .untilAsserted(() -> assertThat(server.unarySendBytes()).isPositive());
        Awaitility.await()
                .untilAsserted(() -> assertThat(server.unarySendBytes()).isZero());
        writer.close();
        assertThat(readers.stream().map(reader -> reader.thaw().getCode()))
                .contains(Status.Code.RESOURCE_EXHAUSTED)
                .doesNotContain(Status.Code.INTERNAL, Status.Code.UNKNOWN);
    }

    @Test
    void callsThatAreCancelledWhileTheyArriveLeaveNothingCounted() {
        PromptChunk chunk = TestChains.first(TestChains.buffer(300_000, 6), 6);
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            Frozen<WriteRequest, WriteResponse> writer = new Frozen<>();
            server.asyncStub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk), writer);
            for (int spin = random.nextInt(20_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            writer.call.join().cancel("enough", null);
        }

        Awaitility.await().untilAsserted(() -> assertThat(server.inboundBytes()).isZero());
    }

    @Test
    void moreIncomingThanTheLimitIsRefusedWithARetryHint() {
        ByteString big = ByteString.copyFrom(new byte[60 << 20]);
        PromptChunk chunk = TestChains.first(big.toByteArray(), 5);
        List<CompletableFuture<Status>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            StreamCalls.CollectedAnswers<WriteResponse> answer = new StreamCalls.CollectedAnswers<>();
            server.asyncStub(server.channel()).write(TestChains.write(DataPlaneFixture.RESOURCE, chunk), answer);
            ends.add(CompletableFuture.supplyAsync(answer::status, Thread::startVirtualThread));
        }

        List<Status.Code> codes = ends.stream().map(end -> end.join().getCode()).toList();

        assertThat(codes).contains(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(Collections.frequency(codes, Status.Code.RESOURCE_EXHAUSTED)).isLessThanOrEqualTo(4);
    }

    /** A client that asks and then takes nothing, until it is thawed. */
    private static final class Frozen<Q, R> implements ClientResponseObserver<Q, R> {
        private final CompletableFuture<Status> end = new CompletableFuture<>();
        private final CompletableFuture<ClientCallStreamObserver<Q>> call = new CompletableFuture<>();

        @Override
        public void beforeStart(ClientCallStreamObserver<Q> starting) {
            starting.disableAutoRequestWithInitial(0);
            call.complete(starting);
        }

        @Override
        public void onNext(@Nullable R value) {}

        @Override
        public void onError(Throwable failure) {
            end.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }

        /** Takes what still lies on the way, and tells how the call ended. */
        Status thaw() {
            call.join().request(10_000);
            return end.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }
    }
}
