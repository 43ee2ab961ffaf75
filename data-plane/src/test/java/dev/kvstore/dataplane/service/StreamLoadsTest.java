package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.grpc.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many blocks of one stream are asked for together, in a storage that answers when the test says so. */
final class StreamLoadsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PacedStore storage = new PacedStore(new MemoryStore());
    private final DataPlaneFixture server = new DataPlaneFixture(
            new StorageLocation.Filesystem(Path.of("in-memory")),
            _ -> storage.store(),
            Map.of("memory-tier-size", "0"));

    @AfterEach
    void close() {
        storage.answer(100_000);
        server.close();
    }

    @Test
    void aStreamOfSixtyFourBlocksWaitsForStorageOnce() {
        List<ByteString> blocks = MainJobContract.writeAll(server, TestChains.chain(64, 1_000, 1));

        CompletableFuture<StreamCalls.StreamOutcome<ReadPart>> stream = read(blocks);

        Awaitility.await().atMost(PATIENCE).until(() -> storage.waiting() == 64);
        storage.answer(64);
        assertThat(stream.join().items()).extracting(ReadPart::getIndex).containsExactlyElementsOf(indices(64));
    }

    @Test
    void blocksWhoseReadersHaveLeftAreNotWaitedFor() {
        ByteString location =
                MainJobContract.writeAll(server, TestChains.chain(1, 1_000, 1)).getFirst();
        ReadRequest request = ReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setLocation(location)
                .build();
        StreamCalls.CollectedAnswers<StreamingReadResponse> streamed = new StreamCalls.CollectedAnswers<>();
        try (Context.CancellableContext readers = Context.current().withCancellation()) {
            readers.run(() -> {
                server.asyncStub().read(request, new StreamCalls.CollectedAnswers<>());
                server.asyncStub()
                        .streamingRead(streamed)
                        .onNext(StreamingReadRequest.newBuilder()
                                .setResourceName(DataPlaneFixture.RESOURCE)
                                .addLocations(location)
                                .build());
            });
            Awaitility.await().atMost(PATIENCE).until(() -> storage.waiting() == 1);
        }

        Awaitility.await().atMost(PATIENCE).until(() -> storage.waiting() == 0);
        assertThat(storage.reads()).isEqualTo(1);
    }

    private static List<Integer> indices(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private CompletableFuture<StreamCalls.StreamOutcome<ReadPart>> read(List<ByteString> blocks) {
        return CompletableFuture.supplyAsync(
                () -> StreamCalls.read(server, blocks, 1 << 20), Thread::startVirtualThread);
    }
}
