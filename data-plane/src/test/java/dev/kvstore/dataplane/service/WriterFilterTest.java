package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A block says which key wrote it, and a reader gets blocks of the writers that it names. */
final class WriterFilterTest {
    private static final String RESOURCE = DataPlaneFixture.RESOURCE;
    private static final String GOOD = "kv_good-1_not-a-secret";
    private static final String BAD = "kv_bad-1_not-a-secret";
    private static final int NOT_FOUND = Status.Code.NOT_FOUND.value();

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final MemoryStore blobs = new MemoryStore();

    /** It wrote the blocks, so they lie in its memory. */
    private final DataPlaneFixture warm = new DataPlaneFixture(control.watching(), _ -> blobs);

    /** It has them from storage alone. */
    private final DataPlaneFixture cold = new DataPlaneFixture(control.watching(), _ -> blobs);

    private final List<PromptChunk> chain = TestChains.chain(2, 512, 1);
    private ByteString good = ByteString.EMPTY;
    private ByteString bad = ByteString.EMPTY;

    @BeforeEach
    void twoWriters() {
        control.peer().grant(DataPlaneFixture.KEY, RESOURCE, right(READ));
        control.peer().grant(GOOD, RESOURCE, right(WRITE));
        control.peer().grant(BAD, RESOURCE, right(WRITE));
        good = warm.stub(GOOD)
                .write(TestChains.write(RESOURCE, chain.getFirst()))
                .getLocation();
        bad = warm.stub(BAD).write(TestChains.write(RESOURCE, chain.getLast())).getLocation();
    }

    @AfterEach
    void stop() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(warm.transferBytes()).isZero();
            assertThat(cold.transferBytes()).isZero();
        });
        warm.close();
        cold.close();
        control.close();
    }

    @Test
    void aBlockSaysWhichKeyWroteIt() {
        for (DataPlaneFixture server : List.of(warm, cold)) {
            assertThat(read(server, good).getWriter()).isEqualTo("good-1");
            assertThat(read(server, bad).getWriter()).isEqualTo("bad-1");
            assertThat(stream(server, request(good, bad)))
                    .extracting(part -> part.getHead().getWriter())
                    .containsExactly("good-1", "bad-1");
        }
    }

    @Test
    void aReaderGetsBlocksOfTheWritersItNamesAndNoOthers() {
        for (DataPlaneFixture server : List.of(cold, warm)) {
            assertThat(code(server, bad, "good-1")).isEqualTo(Status.Code.NOT_FOUND);
            assertThat(read(server, good, "nobody", "good-1").getBuffer())
                    .isEqualTo(chain.getFirst().getBuffer());
            assertThat(stream(server, request(good, bad, good).addWriters("good-1")))
                    .extracting(part -> part.getStatus().getCode())
                    .containsExactly(0, NOT_FOUND, 0);
        }
    }

    @Test
    void theWritersOfAStreamHoldForItsLaterMessages() {
        assertThat(stream(
                        warm,
                        request(bad).addWriters("good-1"),
                        request(bad),
                        request(bad).addWriters("bad-1")))
                .extracting(part -> part.getStatus().getCode())
                .containsExactly(NOT_FOUND, NOT_FOUND, 0);
    }

    @Test
    void aBlockWithoutAWriterIsReadAndIsOfNoWriterThatCanBeNamed() {
        ByteString old = storeWithoutWriter();

        assertThat(read(cold, old).getWriter()).isEmpty();
        assertThat(stream(cold, request(old)))
                .singleElement()
                .satisfies(part -> assertThat(part.getHead().getWriter()).isEmpty());
        assertThat(code(cold, old, "good-1")).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void writersAreFewAndIdsOfKeys() {
        String[] many = Collections.nCopies(WriterFilter.MOST + 1, "good-1").toArray(String[]::new);

        for (DataPlaneFixture server : List.of(warm, cold)) {
            assertThat(code(server, good, many)).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(code(server, good, "")).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(code(server, good, "kv_good-1_secret")).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(answers(server, request(good).addAllWriters(List.of(many)))
                            .status()
                            .getCode())
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    private ByteString storeWithoutWriter() {
        PromptChunk chunk = TestChains.first(TestChains.buffer(512, 7), 7);
        Location location = new Location(TestChains.PARTITION.root(), WireNames.hash(chunk.getHash()));
        int headerBytes = BlockHeader.headerBytes(chunk.getTokensCount(), 0, 0, 512);
        ByteBuffer stored = ByteBuffer.allocateDirect(headerBytes + 512);
        stored.put(headerBytes, chunk.getBuffer().toByteArray());
        var _ = HeaderWriter.write(
                stored,
                headerBytes,
                location.root(),
                WireNames.hash(chunk.getParentHash()),
                location.hash(),
                Tokens.of(chunk.getTokensList().stream().mapToInt(i -> i).toArray()),
                ByteBuffer.allocate(0),
                "");
        var _ = blobs.putIfAbsent(
                BlockKey.of(new StorageLocation.Filesystem(Path.of("/any")), location)
                        .blobName(),
                stored);
        return WireNames.field(location);
    }

    private static PromptChunk read(DataPlaneFixture server, ByteString location, String... writers) {
        return server.stub()
                .read(ReadRequest.newBuilder()
                        .setResourceName(RESOURCE)
                        .setLocation(location)
                        .addAllWriters(List.of(writers))
                        .build())
                .getChunk();
    }

    private static Status.Code code(DataPlaneFixture server, ByteString location, String... writers) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> read(server, location, writers))
                .getStatus()
                .getCode();
    }

    private static StreamingReadRequest.Builder request(ByteString... locations) {
        return StreamingReadRequest.newBuilder().setResourceName(RESOURCE).addAllLocations(List.of(locations));
    }

    private static List<ReadPart> stream(DataPlaneFixture server, StreamingReadRequest.Builder... requests) {
        return answers(server, requests).await().stream()
                .flatMap(message -> message.getPartsList().stream())
                .toList();
    }

    private static StreamCalls.CollectedAnswers<StreamingReadResponse> answers(
            DataPlaneFixture server, StreamingReadRequest.Builder... requests) {
        StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> stream = server.asyncStub().streamingRead(answers);
        for (StreamingReadRequest.Builder request : requests) {
            stream.onNext(request.build());
        }
        stream.onCompleted();
        return answers;
    }
}
