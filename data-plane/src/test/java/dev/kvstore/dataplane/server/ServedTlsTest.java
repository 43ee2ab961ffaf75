package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.EndpointAddress;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.testing.RecordingProxy;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServedTlsTest {
    private static final Partition PARTITION = Partition.of("tls");
    private static final BlockChain PROMPT = BlockChain.of(PARTITION, Tokens.of(new int[128]));

    @TempDir
    private Path folder;

    private TestAuthority authority;
    private Issued second;
    private Issued inUse;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void issue() throws IOException {
        authority = new TestAuthority(folder, "authority");
        Issued first = authority.issue("first");
        second = authority.issue("second");
        inUse = new Issued(folder.resolve("tls.crt"), folder.resolve("tls.key"));
        replace(first);
    }

    @AfterEach
    void stop() {
        threads.close();
    }

    @Test
    void aClientOfTls12IsRefusedUnlessItIsAllowed() throws Exception {
        try (DataPlaneFixture server = start(Map.of())) {
            assertThat(TlsPeer.of(server.endpoint(), authority.certificate(), "TLSv1.3"))
                    .isEqualTo("CN=first");
            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> TlsPeer.of(server.endpoint(), authority.certificate(), "TLSv1.2"))
                    .withMessageContaining("protocol_version");
        }
        try (DataPlaneFixture server = start(Map.of("tls-min-version", "1.2"))) {
            assertThat(TlsPeer.of(server.endpoint(), authority.certificate(), "TLSv1.2"))
                    .isEqualTo("CN=first");
        }
    }

    @Test
    void withAClientAuthorityOnlyItsClientsAreServed() throws Exception {
        Issued known = authority.issue("client");
        Issued unknown = new TestAuthority(folder, "others").issue("stranger");
        try (DataPlaneFixture server =
                start(Map.of("tls-client-ca", authority.certificate().toString()))) {
            try (KvClient client =
                    client(server).clientCertificate(known.chain(), known.key()).build()) {
                assertThat(lookup(client)).isZero();
            }
            for (KvClientBuilder refused :
                    List.of(client(server), client(server).clientCertificate(unknown.chain(), unknown.key()))) {
                try (KvClient client = refused.build()) {
                    assertThat(catchThrowableOfType(KvStoreException.class, () -> lookup(client)))
                            .hasMessageContaining("clientCertificate(");
                }
            }
        }
    }

    @Test
    void callsGoOnWhileTheCertificateIsReplacedAndNewConnectionsSeeTheNewOne() throws Exception {
        try (DataPlaneFixture server = start(Map.of());
                KvClient client = client(server).build()) {
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger calls = new AtomicInteger();
            List<Future<?>> load = List.of(keepCalling(client, calls, ended), keepCalling(client, calls, ended));
            atLeast(100, calls);

            replace(second);
            server.tls().poll();

            assertThat(TlsPeer.of(server.endpoint(), authority.certificate(), "TLSv1.3"))
                    .isEqualTo("CN=second");
            atLeast(calls.get() + 100, calls);
            ended.set(true);
            for (Future<?> caller : load) {
                caller.get(60, TimeUnit.SECONDS); // throws what a call has thrown
            }
            assertThat(client.counters().retries()).isZero();
            assertThat(server.tls().renewals()).isEqualTo(1);
            assertThat(server.tls().failures()).isZero();
        }
    }

    @Test
    void aBrokenReplacementIsCountedOnceAndTheOldCertificateStays() throws Exception {
        try (DataPlaneFixture server = start(Map.of())) {
            Files.copy(second.key(), inUse.key(), StandardCopyOption.REPLACE_EXISTING);
            server.tls().poll();
            server.tls().poll();

            assertThat(server.tls().failures()).isEqualTo(1);
            assertThat(server.tls().renewals()).isZero();
            assertThat(TlsPeer.of(server.endpoint(), authority.certificate(), "TLSv1.3"))
                    .isEqualTo("CN=first");
        }
    }

    @Test
    void newConnectionsShowACertificateOfTheAuthorityOfNow() throws Exception {
        Path authorities = folder.resolve("client-ca.pem");
        Files.copy(authority.certificate(), authorities);
        Issued known = authority.issue("client");
        try (DataPlaneFixture server = start(Map.of("tls-client-ca", authorities.toString()))) {
            TestAuthority others = new TestAuthority(folder, "others");
            Files.copy(others.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
            server.tls().poll();

            try (KvClient client =
                    client(server).clientCertificate(known.chain(), known.key()).build()) {
                assertThat(catchThrowableOfType(KvStoreException.class, () -> lookup(client)))
                        .isNotNull();
            }
        }
    }

    @Test
    void nobodyOnTheLineSeesTheKey() {
        try (DataPlaneFixture server = start(Map.of());
                RecordingProxy line = new RecordingProxy(port(server));
                KvClient client =
                        client(server).endpoints("localhost:" + line.port()).build()) {
            lookup(client);

            assertThat(line.seen()).isNotEmpty().doesNotContain(DataPlaneFixture.KEY, "kvstore.v1");
        }
    }

    @Test
    void inPlaintextWhoeverIsOnTheLineWouldSeeTheKey() {
        try (DataPlaneFixture server = new DataPlaneFixture(storage(), this::open);
                RecordingProxy line = new RecordingProxy(port(server));
                KvClient client = KvClient.builder()
                        .endpoints("localhost:" + line.port())
                        .apiKey(DataPlaneFixture.KEY)
                        .resource(DataPlaneFixture.RESOURCE)
                        .build()) {
            lookup(client);

            assertThat(line.seen()).contains(DataPlaneFixture.KEY);
        }
    }

    @Test
    void theTimeLeftIsThatOfTheCertificateInUse() throws Exception {
        Instant[] now = {Instant.now()};
        ListenerTls tls = ListenerTlsFiles.open(settings(), () -> now[0]).orElseThrow();
        assertThat(tls.left()).isBetween(Duration.ofDays(29), Duration.ofDays(30));
        assertThat(tls.endsSoon()).isFalse();

        now[0] = now[0].plus(Duration.ofDays(25));
        assertThat(tls.endsSoon()).isTrue();
        assertThat(tls.left()).isPositive();

        now[0] = now[0].plus(Duration.ofDays(6));
        assertThat(tls.left()).isNegative();
    }

    @Test
    void anExpiredCertificateIsNoStart() {
        InstantSource later = () -> Instant.now().plus(Duration.ofDays(31));

        assertThatExceptionOfType(BadPemException.class)
                .isThrownBy(() -> ListenerTlsFiles.open(settings(), later))
                .withMessageStartingWith("--tls-cert: " + inUse.chain() + " holds a certificate that expired at ");
    }

    @Test
    void bothPortsUseTheSameCertificate() throws Exception {
        ListenerTls tls =
                ListenerTlsFiles.open(settings(), InstantSource.system()).orElseThrow();
        replace(second);
        tls.poll();

        assertThat(tls.identity().name()).isEqualTo("CN=second");
        assertThat(tls.httpKeys()
                        .getCertificateChain("default")[0]
                        .getSubjectX500Principal()
                        .getName())
                .isEqualTo("CN=second");
    }

    private DataPlaneSettings settings() {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withDefaultValue("kvstore.accounts", "unused")
                .withDefaultValue("kvstore.node-name", "unused");
        files().forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        return EarlySettings.read(config);
    }

    private Map<String, String> files() {
        return Map.of(
                "tls-cert", inUse.chain().toString(), "tls-key", inUse.key().toString());
    }

    private DataPlaneFixture start(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(files());
        settings.putAll(more);
        return new DataPlaneFixture(storage(), this::open, settings, authority.certificate());
    }

    private StorageLocation storage() {
        return new StorageLocation.Filesystem(folder.resolve("storage"));
    }

    private FilesystemStore open(StorageLocation location) throws StorageException {
        return FilesystemStore.open(folder.resolve("storage"), InstantSource.system());
    }

    private KvClientBuilder client(DataPlaneFixture server) {
        return KvClient.builder()
                .endpoints(server.endpoint())
                .trust(authority.certificate())
                .apiKey(DataPlaneFixture.KEY)
                .resource(DataPlaneFixture.RESOURCE);
    }

    private static int lookup(KvClient client) {
        return client.lookup(PARTITION, PROMPT).cachedBlocks();
    }

    private Future<?> keepCalling(KvClient client, AtomicInteger calls, AtomicBoolean ended) {
        return threads.submit(() -> {
            while (!ended.get()) {
                lookup(client);
                calls.incrementAndGet();
            }
        });
    }

    private static void atLeast(int count, AtomicInteger calls) {
        Awaitility.await().until(() -> calls.get() >= count);
    }

    private static int port(DataPlaneFixture server) {
        return EndpointAddress.parse(server.endpoint()).port();
    }

    private void replace(Issued issued) throws IOException {
        Files.copy(issued.chain(), inUse.chain(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(issued.key(), inUse.key(), StandardCopyOption.REPLACE_EXISTING);
    }
}
