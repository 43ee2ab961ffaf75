package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that open more than they use. */
final class ManyStreamsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int STREAMS = 10_000;
    private static final int PER_CONNECTION = 200;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private DataPlaneFixture server = start(Map.of());

    private static DataPlaneFixture start(Map<String, String> settings) {
        MemoryStore store = new MemoryStore();
        return new DataPlaneFixture(new StorageLocation.Filesystem(Path.of("in-memory")), _ -> store, settings);
    }

    private void restart(Map<String, String> settings) {
        server.close();
        server = start(settings);
    }

    @AfterEach
    void nothingIsLeftOpen() {
        channels.forEach(ManagedChannel::shutdownNow);
        try {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(blocks().running()).isZero();
                assertThat(blocks().waiting()).isZero();
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    @Test
    void tenThousandSilentStreamsTakeNoPlaceAndNoMemoryAndOthersAreServed() {
        // Nobody answers a keepalive within 20 s on a machine that is busy enough, and all streams of a connection go
        // with it.
        restart(Map.of("keepalive-interval", "1d"));
        StreamEnds ends = new StreamEnds();
        for (int i = 0; i < STREAMS - 1; i++) {
            if (i % PER_CONNECTION == 0) {
                channels.add(server.channel());
            }
            var _ = server.asyncStub(channels.getLast()).streamingRead(ends);
        }
        Awaitility.await().atMost(PATIENCE).until(() -> blocks().waiting() + ends.count() == STREAMS - 1);
        // Connections are made in any order; so that this is the last one to be heard of, it is asked for now.
        StreamCalls.CollectedAnswers<StreamingReadResponse> last = new StreamCalls.CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> request =
                server.asyncStub(channels.getLast()).streamingRead(last);
        Awaitility.await().atMost(PATIENCE).until(() -> blocks().waiting() + ends.count() == STREAMS);

        assertThat(ends.codes()).containsOnly(Status.Code.RESOURCE_EXHAUSTED);

        assertThat(blocks().waiting()).isEqualTo(2_000);
        assertThat(blocks().running()).isZero();
        assertThat(server.transferBytes()).isZero();
        assertThat(server.inboundBytes()).isZero();
        List<PromptChunk> chain = TestChains.chain(20, 1_200, 1);
        List<ByteString> locations = MainJobContract.writeAll(server, chain);
        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isEqualTo(20);
        assertThat(MainJobContract.read(server, locations.getFirst())).isEqualTo(chain.getFirst());
        // One that was let wait is served like any other, once it asks.
        request.onNext(StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addLocations(locations.getFirst())
                .build());
        request.onCompleted();
        assertThat(last.status()).isEqualTo(Status.OK);
    }

    @Test
    void writersThatLeaveBlocksHalfSentKeepNoPlaceFromOthers() {
        restart(Map.of("max-operations", "10"));
        PromptChunk half = TestChains.first(TestChains.buffer(100_000, 4), 4);
        List<StreamCalls.CollectedAnswers<StreamingWriteResponse>> writers = new ArrayList<>();
        channels.add(server.channel());
        for (int i = 0; i < 10; i++) {
            StreamCalls.CollectedAnswers<StreamingWriteResponse> answers = new StreamCalls.CollectedAnswers<>();
            server.asyncStub(channels.getLast())
                    .streamingWrite(answers)
                    .onNext(StreamingWriteRequest.newBuilder()
                            .setResourceName(DataPlaneFixture.RESOURCE)
                            .setPartition(TestChains.PARTITION.name())
                            .addParts(TestChains.parts(0, half, 4096).getFirst())
                            .build());
            writers.add(answers);
        }
        Awaitility.await().atMost(PATIENCE).until(() -> server.transferBytes() >= 10L * 100_000);
        Awaitility.await().atMost(PATIENCE).until(() -> blocks().waiting() == 10);

        PromptChunk other = TestChains.first(TestChains.buffer(1000, 99), 99);
        ByteString location = server.stub()
                .write(TestChains.write(DataPlaneFixture.RESOURCE, other))
                .getLocation();
        assertThat(MainJobContract.read(server, location)).isEqualTo(other);
        assertThat(writers).noneMatch(StreamCalls.CollectedAnswers::ended);
    }

    @Test
    void aConnectionBeyondTheLimitIsClosedAndTheOthersGoOn() {
        restart(Map.of("max-connections", "2"));
        List<PromptChunk> chain = TestChains.chain(1, 512, 1);
        MainJobContract.writeAll(server, chain); // over the fixture's own
        ManagedChannel second = server.channel();
        ManagedChannel third = server.channel();
        channels.addAll(List.of(second, third));
        assertThat(lookup(second, chain)).isEqualTo(Status.OK);

        assertThat(lookup(third, chain).getCode()).isEqualTo(Status.Code.UNAVAILABLE);

        assertThat(lookup(second, chain)).isEqualTo(Status.OK);
        assertThat(server.connections().refused()).isPositive();
        second.shutdownNow();
        Awaitility.await().atMost(PATIENCE).until(() -> lookup(third, chain).isOk());
        assertThat(server.connections().open()).isEqualTo(2);
    }

    private Status lookup(ManagedChannel channel, List<PromptChunk> chain) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        server.asyncStub(channel).lookup(MainJobContract.lookup(chain), new Ended<>(end));
        return end.join();
    }

    private CallAdmission blocks() {
        return server.admission().blocks();
    }

    private record Ended<R>(CompletableFuture<Status> end) implements StreamObserver<R> {
        @Override
        public void onNext(R answer) {}

        @Override
        public void onError(Throwable failure) {
            end.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }

    /** How streams ended that nobody asked anything on. */
    private static final class StreamEnds implements StreamObserver<StreamingReadResponse> {
        private final Queue<Status.Code> codes = new ConcurrentLinkedQueue<>();

        private int count() {
            return codes.size();
        }

        private Set<Status.Code> codes() {
            return Set.copyOf(codes);
        }

        @Override
        public void onNext(StreamingReadResponse answer) {}

        @Override
        public void onError(Throwable failure) {
            codes.add(Status.fromThrowable(failure).getCode());
        }

        @Override
        public void onCompleted() {
            codes.add(Status.Code.OK);
        }
    }
}
