package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link PeerChannels} to a data plane that lets only clients of its authority in. */
final class PeerChannelsTest {
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
