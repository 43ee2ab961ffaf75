package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the messages of a streaming read are. */
final class ServedPartSizesTest {
    private static final int PART = 128 * 1024;
    private static final int EXTRA = 64 * 1024;

    @TempDir
    private Path directory;

    @Test
    void blocksThatAreMostlyHeadDoNotMakeLongMessages() {
        try (DataPlaneFixture server = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()))) {
            List<ByteString> locations = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                locations.add(server.stub()
                        .write(TestChains.write(DataPlaneFixture.RESOURCE, withLongExtra(i)))
                        .getLocation());
            }

            StreamCalls.CollectedAnswers<StreamingReadResponse> answers = new StreamCalls.CollectedAnswers<>();
            StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
            requests.onNext(StreamingReadRequest.newBuilder()
                    .setResourceName(DataPlaneFixture.RESOURCE)
                    .addAllLocations(locations)
                    .setMaxPartBytes(PART)
                    .build());
            requests.onCompleted();

            assertThat(answers.await())
                    .allSatisfy(
                            message -> assertThat(message.getSerializedSize()).isLessThan(PART + EXTRA + 1024))
                    .flatExtracting(StreamingReadResponse::getPartsList)
                    .hasSize(40)
                    .allSatisfy(
                            part -> assertThat(part.getHead().getExtra().size()).isEqualTo(EXTRA));
        }
    }

    private static PromptChunk withLongExtra(int seed) {
        PromptChunk plain = TestChains.first(TestChains.buffer(1, seed), seed);
        ByteString extra = ByteString.copyFrom(TestChains.buffer(EXTRA, seed));
        int[] tokens = plain.getTokensList().stream().mapToInt(token -> token).toArray();
        BlockHash hash =
                new BlockHasher().next(TestChains.PARTITION.root(), extra.asReadOnlyByteBuffer(), Tokens.of(tokens));
        return plain.toBuilder().setExtra(extra).setHash(WireNames.field(hash)).build();
    }
}
