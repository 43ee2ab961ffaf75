package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The least an operator may give every setting still serves every block there may be. */
final class LeastSettingsTest {
    private static final int LONGEST = 64 << 20;
    private static final int PART = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void theLongestBlocksComeAndGoInPartsBetweenShortOnes() {
        try (DataPlaneFixture server = start(Map.of())) {
            List<PromptChunk> chain = new ArrayList<>(TestChains.chain(3, 70_000, 1));
            BlockHash last = WireNames.hash(chain.getLast().getHash());
            chain.add(TestChains.after(last, TestChains.buffer(LONGEST, 2), 2));
            chain.addAll(TestChains.chain(3, 70_000, 3));

            List<ByteString> locations = MainJobContract.writeAll(server, chain);
            List<ReadPart> parts = StreamCalls.read(server, locations, PART).items();

            assertThat(StreamCalls.buffers(parts))
                    .hasSize(chain.size())
                    .allSatisfy((index, buffer) ->
                            assertThat(buffer).isEqualTo(chain.get(index).getBuffer()));
        }
    }

    @Test
    void theLongestBlockFindsRoomBesideThoseLoadedAheadForAReaderThatTakesNothing() {
        try (DataPlaneFixture server = start(Map.of("stream-prefetch-memory", "128M"))) {
            ManagedChannel reader = server.narrowChannel();
            List<ByteString> locations = MainJobContract.writeAll(server, TestChains.chain(40, 1_200_000, 5));
            server.asyncStub(reader)
                    .streamingRead(new TakesNothing())
                    .onNext(StreamingReadRequest.newBuilder()
                            .setResourceName(DataPlaneFixture.RESOURCE)
                            .addAllLocations(locations)
                            .build());
            Awaitility.await()
                    .untilAsserted(() -> assertThat(server.transferBytes()).isGreaterThan(8 << 20));

            PromptChunk longest = TestChains.first(TestChains.buffer(LONGEST, 6), 6);

            assertThat(server.stub()
                            .write(TestChains.write(DataPlaneFixture.RESOURCE, longest))
                            .getOutcome())
                    .isEqualTo(WriteResponse.Outcome.STORED);
            reader.shutdownNow();
        }
    }

    @Test
    void theLongestBlockIsWrittenAndReadAtOnceWhereUnarySendHasRoomForIt() {
        try (DataPlaneFixture server = start(Map.of("unread-response-memory", "65M"))) {
            PromptChunk longest = TestChains.first(TestChains.buffer(LONGEST, 4), 4);

            ByteString location = server.stub()
                    .write(TestChains.write(DataPlaneFixture.RESOURCE, longest))
                    .getLocation();

            assertThat(MainJobContract.read(server, location)).isEqualTo(longest);
        }
    }

    private DataPlaneFixture start(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(DataPlaneFixture.leastSettings());
        // How long one waits decides how busy a machine may be, not what is served.
        all.put("memory-wait-timeout", "5s");
        // As do these whom else it serves meanwhile.
        List.of("max-operations", "max-idle-calls", "max-connections").forEach(name -> all.put(name, "10"));
        all.put("client-stall-timeout", "30s");
        all.putAll(settings);
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()),
                all);
    }

    private static final class TakesNothing
            implements ClientResponseObserver<StreamingReadRequest, StreamingReadResponse> {
        @Override
        public void beforeStart(ClientCallStreamObserver<StreamingReadRequest> call) {
            call.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(StreamingReadResponse answer) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
