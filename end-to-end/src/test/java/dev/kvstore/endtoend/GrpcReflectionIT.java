package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.testing.FreePorts;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server reflection of a data plane: what grpcurl needs, and who may ask for it. */
class GrpcReflectionIT {
    private static final String V1 = "grpc.reflection.v1.ServerReflection";
    private static final String SERVICE = "kvstore.v1.KVStoreService";
    private static final String KEY = "kv_0a1b2c3d_SeCrEtOfTheTest";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static int port;
    private static Process process;

    @BeforeAll
    static void serve() throws Exception {
        port = FreePorts.row(1, 0, 1_000);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}], "accounts": []}]}
                """.formatted(hash));
        List<String> command =
                List.of("node", "--accounts", "accounts.json", "--host", "0.0.0.0", "--plaintext", "--port", "" + port);
        Path err = folder.resolve("err");
        process = Kv.start(folder, Map.of(), command, folder.resolve("out"), err);
        Readiness ready = Readiness.http(URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/health/ready"));
        await().atMost(Duration.ofSeconds(90)).until(() -> ready.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
    }

    @AfterAll
    static void stop() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, "grpc.reflection.v1alpha.ServerReflection"})
    void namesTheServicesOnThisMachineWithoutAKey(String service) throws Exception {
        ManagedChannel channel = channel("127.0.0.1");
        try {
            assertThat(new ReflectionClient(channel, service).services())
                    .contains(SERVICE, "kvstore.peer.v1.PeerService", "grpc.health.v1.Health");
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void hasTheFileOfAServiceAndAllThatItNeeds() throws Exception {
        ManagedChannel channel = channel("127.0.0.1");
        try {
            List<FileDescriptorProto> files = new ReflectionClient(channel, V1).files(SERVICE);

            List<String> names =
                    files.stream().map(FileDescriptorProto::getName).toList();
            assertThat(names).contains("kvstore/v1/kvstore.proto");
            assertThat(files).allSatisfy(file -> assertThat(names).containsAll(file.getDependencyList()));
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void fromElsewhereItNeedsAKey() throws Exception {
        Optional<InetAddress> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeThat(own).as("this machine has an address besides loopback").isPresent();
        ManagedChannel channel = channel(own.orElseThrow().getHostAddress());
        try {
            assertThatThrownBy(() -> new ReflectionClient(channel, V1).services())
                    .hasMessageContaining("UNAUTHENTICATED");

            Metadata headers = new Metadata();
            headers.put(Credentials.AUTHORIZATION, Credentials.bearer(KEY));
            ReflectionClient known = new ReflectionClient(
                    ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)), V1);
            assertThat(known.services()).contains(SERVICE);
        } finally {
            channel.shutdownNow();
        }
    }

    private static ManagedChannel channel(String host) {
        return NettyChannelBuilder.forAddress(host, port).usePlaintext().build();
    }
}
