package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.testing.JvmProxy;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.SilentProxy;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link PeerChannels} to a data plane that lets only clients of its authority in. */
final class PeerChannelsTest {
    /** The answer of a server without services. */
    private static final Status.Code REACHED = Status.Code.UNIMPLEMENTED;

    @TempDir
    private Path folder;

    private TestAuthority authority;

    @BeforeEach
    void issue() throws IOException {
        authority = new TestAuthority(folder, "authority");
    }

    @Test
    void aPeerShowsTheCertificateItServesWithAndIsLetIn() throws Exception {
        // It has no token, which is looked at only behind TLS.
        assertThat(outcome(authority.issue("peer"), authority)).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void aPeerOfAnotherAuthorityIsNotLetIn() throws Exception {
        Issued stranger = new TestAuthority(folder, "others").issue("stranger");

        assertThat(outcome(stranger, authority)).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void aServerOfAnotherAuthorityIsToldNothing() throws Exception {
        assertThat(outcome(authority.issue("peer"), new TestAuthority(folder, "others")))
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void aPeerIsReachedDirectlyWhateverProxyTheJvmHas() throws Exception {
        try (JvmProxy _ = new JvmProxy()) {
            assertThat(outcome(authority.issue("peer"), authority)).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    /**
     * Announcements have a deadline each, so that only a probe finds out that the connection itself is gone. The server
     * does not probe: behind a firewall that forgot the connection, the client would not hear that the server closed it.
     */
    @Test
    @Tag("slow")
    void aConnectionThatAFirewallForgetsIsLeftForANewOne() throws Exception {
        DataPlaneSettings settings = settings(Map.of());
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .build()
                .start();
        try (SilentProxy proxy = new SilentProxy(server.getPort())) {
            PeerChannels channels = PeerChannels.of(settings, ListenerTlsFiles.open(settings, InstantSource.system()));
            ManagedChannel channel = channels.to("127.0.0.1:" + proxy.port());
            try {
                assertThat(announce(channel)).isEqualTo(REACHED);

                proxy.forget();

                assertThat(announce(channel)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
                await().atMost(Patience.LIMIT).until(() -> announce(channel) == REACHED);
            } finally {
                channel.shutdownNow();
            }
        } finally {
            server.shutdownNow();
        }
    }

    private static Status.Code announce(ManagedChannel channel) {
        return catchThrowableOfType(
                        StatusRuntimeException.class,
                        () -> PeerServiceGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(2, TimeUnit.SECONDS)
                                .announce(AnnounceRequest.getDefaultInstance()))
                .getStatus()
                .getCode();
    }

    /**
     * The outcome of an announcement by a data plane that serves with a certificate and trusts peers of an authority.
     */
    private Status.Code outcome(Issued own, TestAuthority trusted) throws Exception {
        Issued served = authority.issue("server");
        Map<String, String> serving = new HashMap<>(files(served));
        serving.put("tls-client-ca", authority.certificate().toString());
        Map<String, String> calling = new HashMap<>(files(own));
        calling.put("peer-ca", trusted.certificate().toString());
        DataPlaneSettings settings = settings(calling);
        try (DataPlaneFixture server = new DataPlaneFixture(
                new StorageLocation.Filesystem(folder.resolve("storage")),
                this::open,
                serving,
                authority.certificate())) {
            PeerChannels channels = PeerChannels.of(settings, ListenerTlsFiles.open(settings, InstantSource.system()));
            ManagedChannel channel = channels.to(server.endpoint());
            try {
                return catchThrowableOfType(
                                StatusRuntimeException.class,
                                () -> PeerServiceGrpc.newBlockingStub(channel)
                                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                                        .announce(AnnounceRequest.getDefaultInstance()))
                        .getStatus()
                        .getCode();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static Map<String, String> files(Issued issued) {
        return Map.of(
                "tls-cert", issued.chain().toString(), "tls-key", issued.key().toString());
    }

    private static DataPlaneSettings settings(Map<String, String> given) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withDefaultValue("kvstore.accounts", "unused")
                .withDefaultValue("kvstore.node-name", "unused");
        given.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        return EarlySettings.read(config);
    }

    private FilesystemStore open(StorageLocation location) throws StorageException {
        return FilesystemStore.open(folder.resolve("storage"), InstantSource.system());
    }
}
