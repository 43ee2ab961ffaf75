package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rights are checked for every block, so that a revoked right ends calls that are running. */
final class RightsPerItemTest {
    private static final String KEY = DataPlaneFixture.KEY;
    private static final String READER = "kv_reader_not-a-secret-either";
    private static final String RESOURCE = DataPlaneFixture.RESOURCE;
    private static final String OTHER_PARTITION = "model/rev2/fp16";
    private static final int PART = 128 * 1024;
    private static final Duration ALLOWED = Duration.ofMinutes(10);
    private static final int DENIED = Status.Code.PERMISSION_DENIED.value();

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final MemoryStore blobs = new MemoryStore();
    private final ControlPlaneAccountResolver resolver = control.watching();
    private final DataPlaneFixture owner =
            new DataPlaneFixture(new StorageLocation.Filesystem(Path.of("/storage/of/" + RESOURCE)), _ -> blobs);
    private final DataPlaneFixture server = new DataPlaneFixture(resolver, _ -> blobs);

    @AfterEach
    void stop() {
        server.close();
        owner.close();
        control.close();
    }

    @Test
    void whoMayReadMayNotWrite() {
        grant(right(READ));
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);
        ByteString location = MainJobContract.writeAll(owner, List.of(chunk)).getFirst();

        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);
        assertThat(server.stub().lookup(MainJobContract.lookup(List.of(chunk))).getCachedBlocks())
                .isEqualTo(1);
        assertDenied(() -> server.stub().write(TestChains.write(RESOURCE, chunk)));
        assertThat(StreamCalls.write(server, TestChains.parts(0, chunk, PART)).items())
                .singleElement()
                .satisfies(result -> assertThat(result.getStatus().getCode()).isEqualTo(DENIED));
    }

    @Test
    void whoMayWriteMayNotRead() {
        grant(right(WRITE));
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);

        ByteString location =
                server.stub().write(TestChains.write(RESOURCE, chunk)).getLocation();

        assertDenied(() -> MainJobContract.read(server, location));
        assertDenied(() -> server.stub().lookup(MainJobContract.lookup(List.of(chunk))));
        assertThat(StreamCalls.read(server, List.of(location), PART).items())
                .singleElement()
                .satisfies(part -> assertThat(part.getStatus().getCode()).isEqualTo(DENIED));
    }

    @Test
    void whoMayOnlyWriteIsNotToldWhatOthersStored() {
        grant(right(WRITE));
        PromptChunk theirs = TestChains.first(TestChains.buffer(5000, 1), 1);
        PromptChunk mine = TestChains.first(TestChains.buffer(512, 2), 1);
        ByteString location = MainJobContract.writeAll(owner, List.of(theirs)).getFirst();

        assertTellsNothing(server.stub().write(TestChains.write(RESOURCE, mine)));
        assertThat(StreamCalls.write(server, TestChains.parts(0, mine, PART)).items())
                .singleElement()
                .satisfies(result -> assertTellsNothing(result.getWrite()));
        assertThat(MainJobContract.read(owner, location)).isEqualTo(theirs);
        assertThatThrownBy(() -> owner.stub().write(TestChains.write(RESOURCE, mine)))
                .hasMessageContaining("stored with 5000 bytes");
    }

    @Test
    void whoMayOnlyWriteIsNotToldWhatLiesInMemory() {
        control.peer().grant(KEY, RESOURCE, right(WRITE));
        control.peer().grant(READER, RESOURCE, right(READ));
        PromptChunk theirs = TestChains.first(TestChains.buffer(5000, 1), 1);
        PromptChunk mine = TestChains.first(TestChains.buffer(512, 2), 1);
        ByteString location = MainJobContract.writeAll(owner, List.of(theirs)).getFirst();
        var _ = server.stub(READER)
                .read(ReadRequest.newBuilder()
                        .setResourceName(RESOURCE)
                        .setLocation(location)
                        .build());
        long hits = server.tier().hits();

        assertTellsNothing(server.stub().write(TestChains.write(RESOURCE, mine)));

        assertThat(server.tier().hits()).isGreaterThan(hits);
    }

    @Test
    void aLookupOfSeveralPartitionsNeedsARightInEachOfThem() {
        grant(right(READ, TestChains.PARTITION.name()));
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder()
                .setResourceName(RESOURCE)
                .addPartitions(PartitionQuery.newBuilder().setPartition(TestChains.PARTITION.name()));

        assertThat(server.stub().lookupAll(request.build()).getPartitionsCount())
                .isEqualTo(1);
        request.addPartitions(PartitionQuery.newBuilder().setPartition(OTHER_PARTITION));
        assertDenied(() -> server.stub().lookupAll(request.build()));
    }

    private static void assertTellsNothing(WriteResponse answer) {
        assertThat(answer.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(answer.getStoredCrc32C()).isZero();
        assertThat(answer.getStoredBytes()).isZero();
    }

    @Test
    void aRightForAPartitionOpensItByNameAndByRoot() {
        grant(right(READ, TestChains.PARTITION.name()), right(WRITE, TestChains.PARTITION.name()));
        List<PromptChunk> chain = TestChains.chain(2, 512, 1);
        List<ByteString> locations = MainJobContract.writeAll(owner, chain);

        // Before anything has named the partition here.
        assertThat(MainJobContract.read(server, locations.getFirst())).isEqualTo(chain.getFirst());
        assertThat(StreamCalls.read(server, locations, PART).items())
                .extracting(part -> part.getStatus().getCode())
                .containsExactly(0, 0);
        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isEqualTo(2);
        assertThat(server.stub()
                        .write(TestChains.write(RESOURCE, TestChains.first(TestChains.buffer(512, 2), 2)))
                        .getLocation())
                .isNotEmpty();
    }

    @Test
    void aRightForAPartitionOpensNoOther() {
        grant(right(READ, OTHER_PARTITION), right(WRITE, OTHER_PARTITION));
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);
        ByteString location = MainJobContract.writeAll(owner, List.of(chunk)).getFirst();

        assertDenied(() -> MainJobContract.read(server, location));
        assertDenied(() -> server.stub().lookup(MainJobContract.lookup(List.of(chunk))));
        assertDenied(() -> server.stub().write(TestChains.write(RESOURCE, chunk)));
        assertThat(StreamCalls.read(server, List.of(location), PART).items())
                .singleElement()
                .satisfies(part -> assertThat(part.getStatus().getCode()).isEqualTo(DENIED));
        assertThat(StreamCalls.write(server, TestChains.parts(0, chunk, PART)).items())
                .singleElement()
                .satisfies(result -> assertThat(result.getStatus().getCode()).isEqualTo(DENIED));
    }

    @Test
    void aRootThatNobodyCanNameIsAnsweredAsOneThatIsNotGranted() {
        grant(right(READ, OTHER_PARTITION));
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);
        ByteString theirs = MainJobContract.writeAll(owner, List.of(chunk)).getFirst();
        ByteString nobodys =
                WireNames.field(new Location(Partition.of("never-written").root(), WireNames.hash(chunk.getHash())));

        assertThat(denial(() -> MainJobContract.read(server, nobodys)))
                .isEqualTo(denial(() -> MainJobContract.read(server, theirs)));
        assertThat(StreamCalls.read(server, List.of(theirs, nobodys), PART).items())
                .extracting(ReadPart::getStatus)
                .hasSize(2)
                .containsOnly(denied());
    }

    @Test
    void aDescriptorThatClaimsAnotherNameOpensNothing() {
        grant(right(READ, OTHER_PARTITION));
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);
        var _ = blobs.putIfAbsent(
                BlockNames.descriptor(TestChains.PARTITION.root()),
                ByteBuffer.wrap(("{\"partition\":\"" + OTHER_PARTITION + "\",\"blockTokens\":128}")
                        .getBytes(StandardCharsets.UTF_8)));
        ByteString location = MainJobContract.writeAll(owner, List.of(chunk)).getFirst();

        assertDenied(() -> MainJobContract.read(server, location));
    }

    @Test
    void aKeyThatEndsEndsItsStreams() {
        grant(right(READ));
        ByteString location = written();
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        requests.onNext(reading(location));
        Awaitility.await().until(() -> !answers.soFar().isEmpty());

        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().revokeKey(KEY));
        requests.onNext(reading(location));

        assertThat(answers.status().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(answers.soFar()).hasSize(1);
    }

    @Test
    void aGrantThatIsTakenBackIsGoneForTheNextBlockOfAStream() {
        grant(right(READ));
        ByteString location = written();
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        requests.onNext(reading(location));
        Awaitility.await().until(() -> !answers.soFar().isEmpty());

        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().revoke(KEY, RESOURCE));
        requests.onNext(reading(location));
        requests.onCompleted();

        assertThat(answers.status().isOk()).isTrue();
        assertThat(answers.soFar().stream().flatMap(message -> message.getPartsList().stream()))
                .extracting(part -> part.getStatus().getCode())
                .containsExactly(0, DENIED);
    }

    @Test
    void whatIsTakenAwayWhileAStreamWritesIsGoneForItsNextBlock() {
        grant(right(WRITE));
        List<PromptChunk> chain = TestChains.chain(2, 512, 1);
        StreamCalls.CollectedAnswers<StreamingWriteResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingWriteRequest> requests = server.asyncStub().streamingWrite(answers);
        requests.onNext(writing(0, chain.getFirst()));
        Awaitility.await().until(() -> !answers.soFar().isEmpty());

        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().revoke(KEY, RESOURCE));
        requests.onNext(writing(1, chain.getLast()));
        requests.onCompleted();

        assertThat(answers.status().isOk()).isTrue();
        assertThat(answers.soFar().stream().flatMap(message -> message.getResultsList().stream()))
                .extracting(WriteResult::hasWrite)
                .containsExactly(true, false);
    }

    @Test
    void withoutTheControlPlaneWhatIsKnownIsServedAndTheRestIsUnavailable() {
        grant(right(READ));
        ByteString location = written();
        PromptChunk before = MainJobContract.read(server, location);
        control.peer().close();

        assertThat(MainJobContract.read(server, location)).isEqualTo(before);
        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> server.stub("kv_new_key").lookup(MainJobContract.lookup(TestChains.chain(1, 512, 1))));
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(refusal.getStatus().getDescription()).contains("the control plane does not answer");
    }

    @Test
    void anAccountThatAllowsNoMoreTimeWithoutTheControlPlaneIsServedNoFurtherBlockOfAStream() {
        ControlPlaneFixture.heard(resolver, 2, () -> grant(right(READ)));
        ControlPlaneFixture.heard(resolver, 1, () -> control.peer().allowOffline(RESOURCE, ALLOWED));
        ByteString location = written();
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        requests.onNext(reading(location));
        Awaitility.await().until(() -> !answers.soFar().isEmpty());
        control.peer().close();
        Awaitility.await().until(() -> !resolver.isWatching());

        control.advance(ALLOWED);
        requests.onNext(reading(location));
        requests.onCompleted();

        assertThat(answers.status().isOk()).isTrue();
        assertThat(answers.soFar().stream().flatMap(message -> message.getPartsList().stream()))
                .extracting(part -> part.getStatus().getCode())
                .containsExactly(0, Status.Code.UNAVAILABLE.value());
    }

    private void grant(Right... rights) {
        control.peer().grant(KEY, RESOURCE, rights);
    }

    private ByteString written() {
        return MainJobContract.writeAll(owner, TestChains.chain(1, 512, 1)).getFirst();
    }

    private static StreamingReadRequest reading(ByteString location) {
        return StreamingReadRequest.newBuilder()
                .setResourceName(RESOURCE)
                .addLocations(location)
                .build();
    }

    private static StreamingWriteRequest writing(int index, PromptChunk chunk) {
        return StreamingWriteRequest.newBuilder()
                .setResourceName(RESOURCE)
                .setPartition(TestChains.PARTITION.name())
                .addAllParts(TestChains.parts(index, chunk, PART))
                .build();
    }

    private static com.google.rpc.Status denied() {
        return CallRefusal.denied().status();
    }

    private static void assertDenied(ThrowingCallable call) {
        assertThat(denial(call).code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private static Denial denial(ThrowingCallable call) {
        Status status = catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
        return new Denial(status.getCode(), String.valueOf(status.getDescription()));
    }

    private record Denial(Status.Code code, String text) {}
}
