package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input of streams: the item is refused, naming the field, and every other item is served. */
final class BadPartsTest {
    private static final int PART = 4096;

    private final PromptChunk before = TestChains.first(TestChains.buffer(10_000, 1), 1);
    private final PromptChunk bad = TestChains.first(TestChains.buffer(10_000, 2), 2);
    private final PromptChunk after = TestChains.first(TestChains.buffer(10_000, 3), 3);

    @TempDir
    private Path directory;

    private DataPlaneFixture server;

    @BeforeEach
    void start() {
        server = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()));
    }

    @AfterEach
    void nothingIsHeld() {
        try {
            Awaitility.await().untilAsserted(() -> {
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    @Test
    void aPartThatLeavesAGap() {
        assertRefused(
                "parts.offset",
                1,
                part -> part.toBuilder().setOffset(part.getOffset() + 1).build());
    }

    @Test
    void aPartThatGoesBack() {
        assertRefused("parts.offset", 1, part -> part.toBuilder().setOffset(0).build());
    }

    @Test
    void aPartWithoutBytes() {
        assertRefused("parts.bytes", 1, part -> part.toBuilder().clearBytes().build());
    }

    @Test
    void aPartThatGoesBeyondTheBuffer() {
        assertRefused(
                "parts.bytes",
                2,
                part -> part.toBuilder()
                        .setBytes(ByteString.copyFrom(new byte[PART]))
                        .build());
    }

    @Test
    void aLastPartThatIsNotTheLast() {
        assertRefused(
                "parts.bytes",
                2,
                part -> part.toBuilder().setBytes(part.getBytes().substring(1)).build());
    }

    @Test
    void aWrongChecksum() {
        assertRefused(
                "parts.crc32c",
                1,
                part -> part.toBuilder().setCrc32C(part.getCrc32C() ^ 1).build());
    }

    @Test
    void aMissingChecksum() {
        assertRefused("parts.crc32c", 0, part -> part.toBuilder().clearCrc32C().build());
    }

    @Test
    void aMissingHead() {
        assertRefused("parts.head", 0, part -> part.toBuilder().clearHead().build());
    }

    @Test
    void aHeadThatPromisesTooMuch() {
        assertRefused(
                "parts.head.buffer_bytes",
                0,
                part -> part.toBuilder()
                        .setHead(part.getHead().toBuilder().setBufferBytes((64L << 20) + 1))
                        .build());
    }

    @Test
    void aHeadWithAnotherHash() {
        assertRefused(
                "parts.head.hash",
                0,
                part -> part.toBuilder()
                        .setHead(part.getHead().toBuilder().setHash(after.getHash()))
                        .build());
    }

    /** Spoils one part of the middle block of three; the other two must be stored. */
    private void assertRefused(String field, int spoiled, UnaryOperator<WritePart> spoil) {
        List<WritePart> parts = new ArrayList<>(TestChains.parts(0, before, PART));
        List<WritePart> middle = new ArrayList<>(TestChains.parts(1, bad, PART));
        middle.set(spoiled, spoil.apply(middle.get(spoiled)));
        parts.addAll(middle);
        parts.addAll(TestChains.parts(2, after, PART));

        StreamCalls.StreamOutcome<WriteResult> written = StreamCalls.write(server, parts);

        assertThat(written.status().isOk()).isTrue();
        assertThat(written.items()).hasSize(3);
        assertThat(written.items().get(0).getWrite().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(written.items().get(1).getStatus().getCode()).isEqualTo(3);
        assertThat(written.items().get(1).getStatus().getMessage()).startsWith(field + ": ");
        assertThat(written.items().get(2).getWrite().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
    }

    @Test
    void anIndexOutOfOrderEndsTheStreamAfterTheResultsBeforeIt() {
        List<WritePart> parts = new ArrayList<>(TestChains.parts(0, before, PART));
        parts.addAll(TestChains.parts(5, bad, PART));

        StreamCalls.StreamOutcome<WriteResult> written = StreamCalls.write(server, parts);

        assertThat(written.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(written.status().getDescription()).startsWith("parts.index: ");
        assertThat(written.items())
                .singleElement()
                .satisfies(
                        result -> assertThat(result.getWrite().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED));
    }

    @Test
    void aBlockThatIsNeverFinishedIsRefusedWhenTheStreamEnds() {
        StreamCalls.StreamOutcome<WriteResult> written =
                StreamCalls.write(server, TestChains.parts(0, bad, PART).subList(0, 2));

        assertThat(written.status().isOk()).isTrue();
        assertThat(written.items())
                .singleElement()
                .satisfies(result -> assertThat(result.getStatus().getMessage()).startsWith("parts.last: "));
    }

    @Test
    void writingToAResourceOfSomebodyElseEndsTheStream() {
        StreamCalls.StreamOutcome<WriteResult> written = StreamCalls.write(
                server,
                StreamingWriteRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.OTHERS_RESOURCE)
                        .setPartition("p")
                        .addAllParts(TestChains.parts(0, bad, PART))
                        .build());

        assertThat(written.status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aMangledLocationIsAnItemOfItsOwn() {
        ByteString good = MainJobContract.writeAll(server, List.of(before)).getFirst();

        StreamCalls.StreamOutcome<ReadPart> read =
                StreamCalls.read(server, List.of(ByteString.copyFromUtf8("mangled"), good), 0);

        assertThat(read.status().isOk()).isTrue();
        assertThat(read.items()).extracting(part -> part.getStatus().getCode()).containsExactly(3, 0);
        assertThat(read.items().getFirst().getStatus().getMessage()).startsWith("locations: ");
    }

    @Test
    void anImpossiblePartSizeEndsTheStreamAfterTheBlocksBeforeIt() {
        ByteString good = MainJobContract.writeAll(server, List.of(before)).getFirst();
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        StreamingReadRequest request = StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addLocations(good)
                .build();

        requests.onNext(request);
        requests.onNext(request.toBuilder().setMaxPartBytes(17).build());

        assertThat(answers.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(answers.status().getDescription()).startsWith("max_part_bytes: ");
        assertThat(StreamCalls.buffers(answers.await().stream()
                        .flatMap(answer -> answer.getPartsList().stream())
                        .toList()))
                .containsEntry(0, before.getBuffer());
    }
}
