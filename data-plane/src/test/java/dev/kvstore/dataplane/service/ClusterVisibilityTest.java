package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.cluster.MembershipPeer;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.peer.v1.WrittenBlocks;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two data planes of a cluster on one storage: what one acknowledged, the other finds as soon as it was told. Their
 * clocks stand still, so that they look at no log, and know from each other alone.
 */
final class ClusterVisibilityTest {
    private static final StorageLocation LOCATION = new StorageLocation.Filesystem(Path.of("in-memory"));
    private static final Map<String, String> SETTINGS =
            Map.of("cluster", MembershipPeer.CLUSTER, "drain-grace-period", "0s");

    private final MemoryStore blobs = new MemoryStore();
    private final MembershipPeer registry = new MembershipPeer(50);
    private final DataPlaneFixture writer = new DataPlaneFixture(LOCATION, _ -> blobs, SETTINGS);
    private final DataPlaneFixture reader = new DataPlaneFixture(LOCATION, _ -> blobs, SETTINGS);

    @AfterEach
    void stop() {
        writer.close();
        reader.close();
        registry.close();
    }

    private void join() {
        writer.join(registry.link());
        reader.join(registry.link());
        await().until(() -> writer.peers() == 1 && reader.peers() == 1);
    }

    @Test
    void strangersToEachOtherHearFromStorageAlone() {
        List<PromptChunk> chain = TestChains.chain(3, 512, 1);
        assertThat(cachedBlocks(reader, chain)).isZero();

        MainJobContract.writeAll(writer, chain);

        assertThat(cachedBlocks(reader, chain)).isZero();
    }

    @Test
    void whatOneAcknowledgedTheOtherIsToldAgainAndAgain() {
        join();
        assertThat(cachedBlocks(reader, TestChains.chain(3, 512, 1))).isZero();

        for (int round = 0; round < 30; round++) {
            DataPlaneFixture by = round % 2 == 0 ? writer : reader;
            DataPlaneFixture other = round % 2 == 0 ? reader : writer;
            List<PromptChunk> chain = TestChains.chain(3, 512, 100 + 10 * round);
            assertThat(cachedBlocks(other, chain)).isZero();

            MainJobContract.writeAll(by, chain);

            await("round " + round).pollInterval(Duration.ofMillis(20)).until(() -> cachedBlocks(other, chain) == 3);
        }
    }

    @Test
    void aLieCostsOneCheckAndChangesNoAnswer() {
        join();
        List<PromptChunk> chain = TestChains.chain(3, 512, 1);
        assertThat(cachedBlocks(reader, chain)).isZero();
        announce(reader.peerToken(), chain);
        reader.advance(Duration.ofMillis(1));
        double checks = checks();

        assertThat(cachedBlocks(reader, chain)).isZero();
        double afterLie = checks();
        assertThat(afterLie).isGreaterThan(checks);
        assertThat(cachedBlocks(reader, chain)).isZero();
        assertThat(checks()).isEqualTo(afterLie);
    }

    @Test
    void whoDoesNotShowTheTokenIsNoPeer() {
        List<PromptChunk> chain = TestChains.chain(1, 512, 1);
        for (String shown : List.of("x", writer.peerToken(), DataPlaneFixture.KEY)) {
            assertThatExceptionOfType(StatusRuntimeException.class)
                    .isThrownBy(() -> announce(shown, chain))
                    .extracting(e -> e.getStatus().getCode())
                    .isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    @Test
    void aPeersTokenOpensNothingElse() {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> reader.stub(reader.peerToken()).lookup(LookupRequest.getDefaultInstance()))
                .extracting(e -> e.getStatus().getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void anAnnouncementThatIsNoneIsRefused() {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> announce(
                        reader.peerToken(),
                        WrittenBlocks.newBuilder()
                                .setRoot(ByteString.copyFrom(new byte[32]))
                                .setHashes(ByteString.copyFrom(new byte[33]))
                                .build()))
                .withMessage("INVALID_ARGUMENT: written.hashes: must be 32 bytes each");
    }

    @Test
    void peersThatAreGoneAreToldNothing() throws Exception {
        join();
        reader.finish();

        await().until(() -> writer.peers() == 0);
    }

    private void announce(String shown, List<PromptChunk> chain) {
        announce(
                shown,
                WrittenBlocks.newBuilder()
                        .setStorage(LOCATION.place())
                        .setRoot(WireNames.field(TestChains.PARTITION.root()))
                        .setHashes(TestChains.hashes(chain))
                        .build());
    }

    private void announce(String shown, WrittenBlocks written) {
        ManagedChannel channel = reader.channel();
        try {
            Metadata headers = new Metadata();
            headers.put(Credentials.AUTHORIZATION, Credentials.bearer(shown));
            var _ = PeerServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .announce(AnnounceRequest.newBuilder()
                            .setProcess("liar")
                            .addWritten(written)
                            .build());
        } finally {
            channel.shutdownNow();
        }
    }

    private double checks() {
        return reader.meters().get("kvstore.presence.checks").counter().count();
    }

    private static int cachedBlocks(DataPlaneFixture server, List<PromptChunk> chain) {
        return server.stub()
                .lookup(LookupRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .setPartition(TestChains.PARTITION.name())
                        .setBlockHashes(TestChains.hashes(chain))
                        .build())
                .getCachedBlocks();
    }
}
