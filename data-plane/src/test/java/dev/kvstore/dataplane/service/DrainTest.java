package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.MembershipPeer;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A data plane that is drained while it is used. */
final class DrainTest {
    private static final StorageLocation LOCATION = new StorageLocation.Filesystem(Path.of("in-memory"));
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int BLOCKS = 20;

    private final MemoryStore blobs = new MemoryStore();
    private final MembershipPeer registry = new MembershipPeer(50);
    private final DataPlaneFixture server =
            new DataPlaneFixture(LOCATION, _ -> blobs, Map.of("cluster", MembershipPeer.CLUSTER));
    private final List<PromptChunk> chain = TestChains.chain(BLOCKS, 50_000, 1);
    private final List<ByteString> locations = MainJobContract.writeAll(server, chain);

    @AfterEach
    void stop() {
        server.close();
        registry.close();
    }

    @Test
    void whoHasNotHeardIsServedForATimeOfGrace() {
        server.drain().wish(Drain.Wish.ASKED, true);
        server.advance(GRACE.minusNanos(1));

        assertThat(StreamCalls.read(server, locations, 0).status().isOk()).isTrue();
    }

    @Test
    void thenNewCallsAreSentElsewhere() throws Exception {
        server.drain().wish(Drain.Wish.ASKED, true);
        server.advance(GRACE);

        Status refused = StreamCalls.read(server, locations, 0).status();

        assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(refused.getDescription()).isEqualTo("this process takes no new calls; ask another one");
    }

    @Test
    void theRefusalSaysThatItIsNoSignOfTrouble() throws InvalidProtocolBufferException {
        server.drain().wish(Drain.Wish.ASKED, true);
        server.advance(GRACE);
        StatusRuntimeException refused = org.junit.jupiter.api.Assertions.assertThrows(
                StatusRuntimeException.class,
                () -> server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chain.getFirst())));

        ErrorInfo info = Objects.requireNonNull(StatusProto.fromThrowable(refused))
                .getDetails(0)
                .unpack(ErrorInfo.class);

        assertThat(info.getReason()).isEqualTo("DRAINING");
    }

    @Test
    void whatIsUnderWayIsFinished() {
        List<StreamCalls.CollectedAnswers<StreamingReadResponse>> answers = new ArrayList<>();
        List<StreamObserver<StreamingReadRequest>> streams = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            StreamCalls.CollectedAnswers<StreamingReadResponse> answer = new StreamCalls.CollectedAnswers<>();
            answers.add(answer);
            streams.add(server.asyncStub().streamingRead(answer));
            streams.getLast().onNext(request(0, BLOCKS / 2));
        }
        await().until(() -> answers.stream().noneMatch(answer -> answer.soFar().isEmpty()));

        server.drain().wish(Drain.Wish.INSTRUCTED, true);
        server.advance(GRACE.multipliedBy(10));
        streams.forEach(stream -> {
            stream.onNext(request(BLOCKS / 2, BLOCKS));
            stream.onCompleted();
        });

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status().isOk()).isTrue();
            assertThat(StreamCalls.buffers(answer.await().stream()
                            .flatMap(message -> message.getPartsList().stream())
                            .toList()))
                    .hasSize(BLOCKS);
        });
        await().until(() -> server.calls().open() == 0);
    }

    private StreamingReadRequest request(int from, int to) {
        return StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addAllLocations(locations.subList(from, to))
                .build();
    }

    @Test
    void whoIsDrainedNoMoreServesAgain() {
        server.drain().wish(Drain.Wish.INSTRUCTED, true);
        server.drain().wish(Drain.Wish.ASKED, true);
        server.advance(GRACE);
        server.drain().wish(Drain.Wish.INSTRUCTED, false);
        assertThat(StreamCalls.read(server, locations, 0).status().isOk()).isFalse();

        server.drain().wish(Drain.Wish.ASKED, false);

        assertThat(StreamCalls.read(server, locations, 0).status().isOk()).isTrue();
    }

    @Test
    void theControlPlaneDrainsAndTakesItBack() {
        server.join(registry.link());

        registry.drain(true);
        await().until(() -> server.drain().isWanted());
        // It knows already, and would not know that it alone wants it if it were told.
        assertThat(server.drain().isWantedHere()).isFalse();

        registry.drain(false);
        await().until(() -> !server.drain().isWanted());
    }

    @Test
    void theControlPlaneHearsAtOnceThatAProcessIsDrainedFromItsOwnMachine() {
        server.join(registry.link());
        await().until(() -> registry.lastHeartbeat() != null);

        server.drain().wish(Drain.Wish.ASKED, true);

        await().until(() -> Objects.requireNonNull(registry.lastHeartbeat()).getDraining());
    }

    @Test
    void aMembersLastWordsAreThatItIsDrainingAndThatItLeaves() throws Exception {
        try (DataPlaneFixture leaver = new DataPlaneFixture(
                LOCATION, _ -> blobs, Map.of("cluster", MembershipPeer.CLUSTER, "drain-grace-period", "3s"))) {
            Membership member = leaver.join(registry.link());
            await("it is a member").until(member::isJoined);

            leaver.finish();

            assertThat(Objects.requireNonNull(registry.lastHeartbeat()).getDraining())
                    .isTrue();
            assertThat(registry.left()).hasSize(1);
        }
    }

    @Test
    void whoStopsWaitsForTheCallsItHas() throws Exception {
        try (DataPlaneFixture leaver = new DataPlaneFixture(
                LOCATION, _ -> blobs, Map.of("cluster", MembershipPeer.CLUSTER, "drain-grace-period", "0s"))) {
            Membership member = leaver.join(registry.link());
            await("it is a member").until(member::isJoined);
            StreamCalls.CollectedAnswers<StreamingReadResponse> answer = new StreamCalls.CollectedAnswers<>();
            StreamObserver<StreamingReadRequest> stream = leaver.asyncStub().streamingRead(answer);
            stream.onNext(request(0, BLOCKS));
            await().until(() -> leaver.calls().open() == 1);

            Thread stopping = Thread.ofVirtual().start(() -> {
                try {
                    leaver.finish();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> leaver.drain().isWanted());
            assertThat(registry.left()).isEmpty();
            stream.onCompleted();
            stopping.join();

            assertThat(answer.status().isOk()).isTrue();
            assertThat(registry.left()).hasSize(1);
        }
    }
}
