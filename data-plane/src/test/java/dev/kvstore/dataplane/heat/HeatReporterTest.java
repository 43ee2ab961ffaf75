package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.ReportHeatResponse;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.heat.Uses;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeatReporterTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final BlockHash ROOT = new BlockHash(1, 1, 1, 1);
    private static final BlockHash OTHER_ROOT = new BlockHash(2, 2, 2, 2);

    /** Hears reports over the real protocol on loopback. */
    private static final class ReportReceiver extends WarmingServiceGrpc.WarmingServiceImplBase {
        final List<ReportHeatRequest> heard = new CopyOnWriteArrayList<>();
        volatile @Nullable Status refusal;

        @Override
        public void reportHeat(ReportHeatRequest request, StreamObserver<ReportHeatResponse> caller) {
            Status why = refusal;
            if (why != null) {
                caller.onError(why.asRuntimeException());
                return;
            }
            heard.add(request);
            caller.onNext(ReportHeatResponse.getDefaultInstance());
            caller.onCompleted();
        }
    }

    private final ReportReceiver hearer = new ReportReceiver();
    private final Server server;
    private final ControlPlaneReplicas plane;
    private final Heat heat = Heat.none(() -> NOW, _ -> {});
    private String lease = "a-lease";
    private final HeatReporter reports;

    HeatReporterTest() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(hearer)
                .build()
                .start();
        plane = new ControlPlaneReplicas(
                List.of(new ControlPlaneReplica("127.0.0.1", server.getPort())),
                _ -> null,
                new JoinToken("join-token-of-a-test"));
        reports = new HeatReporter(plane, heat, () -> lease);
    }

    @AfterEach
    void stop() {
        reports.close();
        plane.close();
        server.shutdownNow();
    }

    private void use(String resourceName, BlockHash root, int block) {
        BlockKey key = new BlockKey(
                new StorageLocation.Filesystem(Path.of(resourceName)), root, new BlockHash(9, 9, 9, block));
        heat.used(resourceName, key, 42, 1_000 + block);
    }

    @Test
    void whatWasUsedIsToldByPartition() throws InterruptedException {
        use("acme", ROOT, 1);
        use("acme", OTHER_ROOT, 2);
        use("umbrella", ROOT, 3);

        reports.beat();

        assertThat(hearer.heard).singleElement().satisfies(report -> {
            assertThat(report.getLease()).isEqualTo("a-lease");
            assertThat(report.getHeatList())
                    .containsExactlyInAnyOrder(
                            told("acme", ROOT, 1), told("acme", OTHER_ROOT, 2), told("umbrella", ROOT, 3));
        });
        assertThat(reports.told()).isEqualTo(3);
    }

    private static PartitionHeat told(String resourceName, BlockHash root, int block) {
        return PartitionHeat.newBuilder()
                .setResourceName(resourceName)
                .setRoot(WireNames.field(root))
                .setHashes(WireNames.field(new BlockHash(9, 9, 9, block)))
                .addParents(42)
                .addBytes(1_000 + block)
                .addUses(Uses.at(NOW))
                .build();
    }

    @Test
    void whatCouldNotBeToldIsToldNextTime() throws InterruptedException {
        use("acme", ROOT, 1);
        hearer.refusal = Status.UNAVAILABLE;
        reports.beat();
        hearer.refusal = null;

        reports.beat();

        assertThat(hearer.heard)
                .extracting(ReportHeatRequest::getHeatList)
                .containsExactly(List.of(told("acme", ROOT, 1)));
    }

    @Test
    void whereNothingWasUsedNothingIsSaid() throws InterruptedException {
        reports.beat();

        assertThat(hearer.heard).isEmpty();
    }

    @Test
    void withoutALeaseItWaits() throws InterruptedException {
        use("acme", ROOT, 1);
        lease = "";
        reports.beat();
        assertThat(hearer.heard).isEmpty();
        lease = "another-lease";

        reports.beat();

        assertThat(hearer.heard).extracting(ReportHeatRequest::getLease).containsExactly("another-lease");
    }

    @Test
    void theRestIsToldAtTheEnd() {
        reports.start();
        use("acme", ROOT, 1);

        reports.close();

        assertThat(hearer.heard).hasSize(1);
    }
}
