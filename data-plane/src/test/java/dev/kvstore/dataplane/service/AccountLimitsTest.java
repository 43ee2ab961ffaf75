package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.WriteResult;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The limits of an account at a data plane, which other accounts do not feel. */
@Tag("slow")
final class AccountLimitsTest {
    private static final String KEY = DataPlaneFixture.KEY;
    private static final String LIMITED = DataPlaneFixture.RESOURCE;
    private static final String FREE = "free";
    private static final int PART = 128 * 1024;
    private static final int BLOCK = 512;
    private static final int EXHAUSTED = Status.Code.RESOURCE_EXHAUSTED.value();

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final MemoryStore blobs = new MemoryStore();
    private final PacedStore paced = new PacedStore(blobs);
    private final ControlPlaneAccountResolver resolver = control.watching();
    private final DataPlaneFixture writer =
            new DataPlaneFixture(new StorageLocation.Filesystem(Path.of("/storage/of/" + LIMITED)), _ -> blobs);
    private final MemoryStore blobsOfFree = new MemoryStore();
    private final DataPlaneFixture server = new DataPlaneFixture(
            resolver, location -> location.toString().contains(FREE) ? blobsOfFree : paced.store());
    private int written = 100;

    @AfterEach
    void nothingIsLeftRunning() {
        paced.answer(100_000);
        try {
            Awaitility.await().untilAsserted(() -> {
                assertThat(server.admission().blocks().running()).isZero();
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
            writer.close();
            control.close();
        }
    }

    @Test
    void whoHasAsManyCallsAsItMayIsRefusedAndOthersAreServed() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = heldInStorage();

        StatusRuntimeException refusal = refused(() -> write(LIMITED));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refusal.getStatus().getDescription())
                .isEqualTo("the server is serving 1 calls of demo, which is the limit of this account at a time");
        assertThat(retryMillis(refusal)).isBetween(20L, 6_000L);
        write(FREE);
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.ACCOUNT_OPERATIONS))
                .isEqualTo(1);

        paced.answer(1);
        assertThat(held.status()).isEqualTo(Status.OK);
        write(LIMITED);
    }

    @Test
    void aStreamIsRefusedWithItsFirstMessage() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = heldInStorage();

        assertThat(StreamCalls.write(server, TestChains.parts(0, block(), PART))
                        .status()
                        .getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(StreamCalls.read(server, List.of(stored()), PART).status().getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);

        paced.answer(1);
        assertThat(held.status()).isEqualTo(Status.OK);
    }

    @Test
    void lookupsAreNotCounted() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = heldInStorage();

        assertThat(server.stub()
                        .lookup(MainJobContract.lookup(List.of(block())))
                        .getCachedBlocks())
                .isZero();

        paced.answer(1);
        assertThat(held.status()).isEqualTo(Status.OK);
    }

    @Test
    void aStreamWithNothingToDoTakesNothing() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> idle = server.asyncStub().streamingRead(answers);
        paced.answer(1);
        idle.onNext(reading(stored()));
        Awaitility.await()
                .until(() -> !answers.soFar().isEmpty()
                        && server.admission().blocks().waiting() == 1);

        write(LIMITED);

        idle.onCompleted();
        assertThat(answers.status()).isEqualTo(Status.OK);
    }

    @Test
    void whatACallerHasLeftMakesRoom() {
        limit(1, 0);
        Context.CancellableContext context = Context.ROOT.withCancellation();
        context.run(this::heldInStorage);

        context.cancel(null);

        Awaitility.await().until(() -> server.admission().blocks().running() == 0);
        write(LIMITED);
    }

    @Test
    void whatIsTakenFromACallerMakesRoom() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = heldInStorage();
        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().revokeKey(KEY));

        paced.answer(1);

        assertThat(held.status().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        ControlPlaneFixture.heard(resolver, 2, () -> control.peer().grant(KEY, LIMITED, right(READ), right(WRITE)));
        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().limit(LIMITED, 1, 0));
        write(LIMITED);
    }

    @Test
    void aLimitThatChangesIsThatOfTheNextCall() {
        limit(1, 0);
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = heldInStorage();
        assertThat(refused(() -> write(LIMITED))).isNotNull();

        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().limit(LIMITED, 2, 0));

        write(LIMITED);
        paced.answer(1);
        assertThat(held.status()).isEqualTo(Status.OK);
    }

    @Test
    void whoMovesBytesFasterThanItMayIsToldWhenItMayAgainAndOthersAreServed() {
        limit(0, 100);
        ByteString location = stored();
        spend();

        for (StatusRuntimeException refusal :
                List.of(refused(() -> write(LIMITED)), refused(() -> MainJobContract.read(server, location)))) {
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refusal.getStatus().getDescription())
                    .isEqualTo("demo has moved more than the 100 bytes a second that its limit lets it read and write");
            assertThat(retryMillis(refusal)).isEqualTo(1_000L * BLOCK / 100);
        }
        write(FREE);
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.ACCOUNT_BYTES))
                .isEqualTo(2);

        server.advance(Duration.ofMillis(1_000L * BLOCK / 100));
        paced.answer(1);
        assertThat(MainJobContract.read(server, location).getBuffer().size()).isEqualTo(BLOCK);
        assertThat(refused(() -> write(LIMITED))).isNotNull();
    }

    @Test
    void streamsWaitForAShortWhileWithoutAPlace() {
        limit(0, 1000);
        ByteString location = stored();
        spend();
        paced.answer(1);
        StreamCalls.CollectedAnswers<StreamingReadResponse> reading = stream(location);
        Awaitility.await()
                .until(() -> paced.reads() == 1
                        && server.admission().blocks().waiting() == 1
                        && server.admission().blocks().running() == 0);
        assertThat(reading.soFar()).isEmpty();

        server.advance(Duration.ofSeconds(1));

        assertThat(reading.status()).isEqualTo(Status.OK);
        assertThat(reading.await().getFirst().getParts(0).hasHead()).isTrue();
    }

    @Test
    void aWriterWaitsToo() {
        limit(0, 1000);
        spend();
        Thread later = Thread.ofVirtual().unstarted(() -> {
            Awaitility.await().until(() -> server.admission().blocks().waiting() == 1);
            server.advance(Duration.ofSeconds(1));
        });
        later.start();

        StreamCalls.StreamOutcome<WriteResult> outcome = StreamCalls.write(server, TestChains.parts(0, block(), PART));

        assertThat(outcome.status()).isEqualTo(Status.OK);
        assertThat(outcome.items())
                .singleElement()
                .satisfies(result -> assertThat(result.hasWrite()).isTrue());
    }

    @Test
    void aStreamThatWouldWaitForTooLongIsToldSoBlockByBlock() {
        limit(0, 10);
        ByteString location = stored();
        spend();

        StreamCalls.StreamOutcome<ReadPart> read = StreamCalls.read(server, List.of(location, location), PART);
        StreamCalls.StreamOutcome<WriteResult> write = StreamCalls.write(server, TestChains.parts(0, block(), PART));

        assertThat(read.status()).isEqualTo(Status.OK);
        assertThat(read.items()).extracting(part -> part.getStatus().getCode()).containsExactly(EXHAUSTED, EXHAUSTED);
        assertThat(paced.reads()).as("reads of storage").isZero();
        assertThat(write.status()).isEqualTo(Status.OK);
        assertThat(write.items())
                .extracting(result -> result.getStatus().getCode())
                .containsExactly(EXHAUSTED);
    }

    private void limit(int operations, long bytesPerSecond) {
        ControlPlaneFixture.heard(resolver, 5, () -> {
            control.peer().grant(KEY, LIMITED, right(READ), right(WRITE));
            control.peer().grant(KEY, FREE, right(READ), right(WRITE));
            control.peer().limit(LIMITED, operations, bytesPerSecond);
        });
    }

    /** Uses up what was saved, and a block more. */
    private void spend() {
        server.stub().write(TestChains.write(LIMITED, TestChains.first(new byte[BlockHeader.MAX_BUFFER_BYTES], 1)));
        write(LIMITED);
    }

    /** A call of the limited account that runs until storage is told to answer. */
    private StreamCalls.CollectedAnswers<StreamingReadResponse> heldInStorage() {
        StreamCalls.CollectedAnswers<StreamingReadResponse> held = stream(stored());
        Awaitility.await().until(() -> paced.waiting() == 1);
        return held;
    }

    private StreamCalls.CollectedAnswers<StreamingReadResponse> stream(ByteString location) {
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        requests.onNext(reading(location));
        requests.onCompleted();
        return answers;
    }

    private static StreamingReadRequest reading(ByteString location) {
        return StreamingReadRequest.newBuilder()
                .setResourceName(LIMITED)
                .addLocations(location)
                .build();
    }

    /** A block that is in storage and in no memory of the server. */
    private ByteString stored() {
        return MainJobContract.writeAll(writer, List.of(block())).getFirst();
    }

    private void write(String resource) {
        var _ = server.stub().write(TestChains.write(resource, block()));
    }

    private PromptChunk block() {
        return TestChains.first(TestChains.buffer(BLOCK, ++written), written);
    }

    private static StatusRuntimeException refused(Runnable call) {
        return Objects.requireNonNull(catchThrowableOfType(StatusRuntimeException.class, call::run));
    }

    private static long retryMillis(StatusRuntimeException refusal) {
        try {
            var status = Objects.requireNonNull(StatusProto.fromThrowable(refusal));
            return Durations.toMillis(
                    status.getDetails(0).unpack(RetryInfo.class).getRetryDelay());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
