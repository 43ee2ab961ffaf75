package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlanePeer;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From settings to a control plane that is believed. */
final class ControlPlaneLinkTest {
    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        executor.close();
    }

    @Test
    void aCertificateOfTheNamedAuthorityIsBelieved() throws Exception {
        TestAuthority authority = new TestAuthority(folder, "authority");
        Issued own = authority.issue("control-plane");
        try (ControlPlanePeer peer = new ControlPlanePeer(own.chain(), own.key());
                ControlPlaneAccountResolver resolver = resolver(peer, authority.certificate())) {
            Awaitility.await().until(resolver::isWatching);
        }
    }

    @Test
    void aCertificateOfAnotherIsNot() throws Exception {
        Issued own = new TestAuthority(folder, "authority").issue("control-plane");
        Path stranger = new TestAuthority(folder, "stranger").certificate();
        try (ControlPlanePeer peer = new ControlPlanePeer(own.chain(), own.key());
                ControlPlaneAccountResolver resolver = resolver(peer, stranger)) {
            Awaitility.await().until(() -> resolver.flaw().isPresent());

            assertThat(resolver.flaw().orElseThrow())
                    .startsWith("UNAVAILABLE: io exception: ")
                    .containsIgnoringCase("certif")
                    .doesNotContain("\n");
            assertThat(resolver.isWatching()).isFalse();
            assertThat(peer.watches()).isEmpty();
        }
    }

    @Test
    void authoritiesThatAreNoneAreNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("ca.pem"), "none");

        assertThatExceptionOfType(BadPemException.class)
                .isThrownBy(() -> ControlPlaneLink.open(
                        settings(Map.of("control-plane", "127.0.0.1:1", "control-plane-ca", file.toString())),
                        Optional.empty(),
                        Map.of(JoinToken.VARIABLE, "token")))
                .withMessageStartingWith("--control-plane-ca: " + file + " holds no certificate");
    }

    @Test
    void whoHasNeitherTokenNorCertificateIsToldTheWayOut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlPlaneLink.open(
                        settings(Map.of("control-plane", "127.0.0.1:1")), Optional.empty(), Map.of()))
                .withMessageStartingWith(
                        "--control-plane: needs a join token; set KVSTORE_JOIN_TOKEN or give --join-token-file");
    }

    @Test
    void theFolderOfTheFileIsMade() {
        Path state = folder.resolve("a").resolve("b");

        assertThat(ControlPlaneLink.flaw(settings(Map.of("state-path", state.toString()))))
                .isNull();
        assertThat(state).isDirectory();
    }

    @Test
    void aFolderThatCannotBeIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(ControlPlaneLink.flaw(settings(Map.of("state-path", "relative"))))
                .isEqualTo("kvstore.state-path: give the absolute path of a folder, not relative");
        assertThat(ControlPlaneLink.flaw(
                        settings(Map.of("state-path", file.resolve("below").toString()))))
                .startsWith("kvstore.state-path: " + file);
        assertThat(ControlPlaneLink.flaw(settings(Map.of()))).isNull();
    }

    private ControlPlaneAccountResolver resolver(ControlPlanePeer peer, Path authority) throws BadPemException {
        DataPlaneSettings settings =
                settings(Map.of("control-plane", "127.0.0.1:" + peer.port(), "control-plane-ca", authority.toString()));
        return new ControlPlaneAccountResolver(
                ControlPlaneLink.open(settings, Optional.empty(), Map.of(JoinToken.VARIABLE, ControlPlanePeer.TOKEN)),
                new ControlPlaneAccountResolver.ResolverSelf("node", ""),
                Optional.empty(),
                new StoreCache(_ -> new MemoryStore()),
                new MemoryPool(1 << 20, Duration.ofSeconds(5)),
                new SplittableRandom(1),
                executor);
    }

    private static DataPlaneSettings settings(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(given);
        all.put("node-name", "unused");
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder();
        all.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        return EarlySettings.read(config);
    }
}
