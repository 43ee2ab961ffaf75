package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.heard;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.notWatching;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.WatchRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How changes are heard of when replicas come and go. */
final class WatchClientTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "demo";

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void itSaysWhoListens() {
        var _ = fixture.watching();

        assertThat(peer.watches()).singleElement().satisfies(request -> {
            assertThat(request.getNode()).isEqualTo("node");
            assertThat(request.getRegion()).isEqualTo("here");
            assertThat(request.getSince()).isZero();
        });
    }

    @Test
    void aChangeThatWasMissedIsHeardOfOnceItIsThereAgain() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.stop();
        notWatching(resolver);

        peer.revokeKey(KEY);
        peer.start();

        ControlPlaneFixture.watching(resolver);
        Awaitility.await().until(() -> resolve(resolver, KEY, RESOURCE) instanceof Resolution.UnknownKey);
        assertThat(peer.watches().getLast().getSince()).isEqualTo(2);
    }

    @Test
    void aWatchThatHasToldOnlyAPartOfWhatWasMissedConfirmsNothing() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.stop();
        notWatching(resolver);
        peer.tellSlowly();

        heard(resolver, 2, () -> {
            peer.grant("kv_other_secret", "second", right(READ));
            peer.start();
        });

        assertThat(resolver.isWatching()).isFalse();
        peer.tellTheRest();
        ControlPlaneFixture.watching(resolver);
    }

    @Test
    void whatHasNotChangedMeanwhileIsNotAskedAgain() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.stop();
        notWatching(resolver);

        peer.start();

        ControlPlaneFixture.watching(resolver);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(1);
    }

    @Test
    void whenAReplicaDiesAnotherIsAsked() {
        try (ControlPlanePeer other = new ControlPlanePeer()) {
            ControlPlaneAccountResolver resolver = ControlPlaneFixture.watching(
                    fixture.open(Optional.empty(), ControlPlaneFixture.PATIENT, List.of(peer, other)));
            other.grant(KEY, RESOURCE, right(READ));

            peer.stop();

            Awaitility.await().until(() -> !other.watches().isEmpty() && resolver.isWatching());
            assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        }
    }

    @Test
    void aReplicaThatSaysNothingIsLeftForAnother() {
        ResolverBounds impatient = new ResolverBounds(
                Duration.ofSeconds(20),
                Duration.ofMillis(200),
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                1 << 20,
                100,
                64);
        try (ControlPlanePeer other = new ControlPlanePeer()) {
            peer.fallSilent();
            var _ = fixture.open(Optional.empty(), impatient, List.of(peer, other));

            Awaitility.await().until(() -> !other.watches().isEmpty());

            assertThat(peer.watches()).extracting(WatchRequest::getNode).contains("node");
        }
    }

    @Test
    void aChangeIsHeardOfByAllThatTouchesIt() {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.grant(KEY, "second", right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        resolve(resolver, KEY, "second");

        heard(resolver, 1, () -> peer.revoke(KEY, "second"));

        assertThat(resolver.count()).isEqualTo(1);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void storageThatIsToBeTriedIsTriedAndReportedOn() throws Exception {
        fixture.blobs().putIfAbsent("proof", ByteBuffer.wrap("nonce".getBytes(StandardCharsets.UTF_8)));
        var _ = fixture.watching();

        peer.probe(Probe.newBuilder()
                .setId("p1")
                .setResourceName(RESOURCE)
                .setStorage(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("/somewhere")))
                .setNonceBlob("proof")
                .setNonce("nonce")
                .build());

        ReportProbeRequest report = peer.reports().poll(60, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        assertThat(report.getId()).isEqualTo("p1");
        assertThat(report.getNode()).isEqualTo("node");
        assertThat(report.getStepsList())
                .allMatch(ProbeStep::getOk)
                .extracting(ProbeStep::getName)
                .containsExactly(
                        ProbeStep.Name.CREDENTIAL,
                        ProbeStep.Name.OWNERSHIP,
                        ProbeStep.Name.WRITE,
                        ProbeStep.Name.READ,
                        ProbeStep.Name.DELETE);
    }
}
