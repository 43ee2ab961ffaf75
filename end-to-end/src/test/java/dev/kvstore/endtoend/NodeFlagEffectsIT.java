package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.Prefix;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kv node}: what each flag changes that can be seen from outside. */
class NodeFlagEffectsIT {
    private static final int TLS_HANDSHAKE = 22;
    private static final Duration START = Duration.ofSeconds(90);

    /** A data plane that serves. */
    private record ServingNode(Process process, int port, String host, Path out) implements AutoCloseable {
        Metrics metrics() {
            return Metrics.scrape(URI.create("http://" + host + ":" + (port + 1_000) + "/q/metrics"));
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [], "accounts": []}]}
                """);
    }

    @Test
    void thePortIsWhereGrpcIsServed() throws Exception {
        try (ServingNode node = start(Map.of(), "127.0.0.1")) {
            assertThatNoException().isThrownBy(() -> connect("127.0.0.1", node.port()));
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs 127.0.0.2, which other systems do not have")
    void theHostIsTheOnlyAddressThatIsServed() throws Exception {
        try (ServingNode node = start(Map.of(), "127.0.0.2")) {
            assertThatNoException().isThrownBy(() -> connect("127.0.0.2", node.port()));
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect("127.0.0.1", node.port()));
            assertThatExceptionOfType(ConnectException.class)
                    .isThrownBy(() -> connect("127.0.0.1", node.port() + 1_000));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /proc, which tells the threads of a process")
    void threadsAreThoseOfTheNetwork(int threads) throws Exception {
        try (ServingNode node = start(Map.of(), "127.0.0.1", "--threads", "" + threads)) {
            assertThat(threads(node, "vert.x-eventloo")).hasSize(threads);
        }
    }

    @Test
    void theLogIsSilentUnlessTheLogLevelSaysMore() throws Exception {
        try (ServingNode silent = start(Map.of(), "127.0.0.1");
                ServingNode telling = start(Map.of(), "127.0.0.1", "--log-level", "info")) {
            assertThat(silent.out()).isEmptyFile();
            await().atMost(START)
                    .untilAsserted(() -> assertThat(telling.out()).content().contains("INFO", "started in"));
        }
    }

    @Test
    void theBlobDnsSuffixMakesTheHostThatStorageIsSoughtAt() throws Exception {
        String key = "kv_a_secret";
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        TestPrompt prompt = TestPrompt.unique(1);
        try (ServerSocket storage = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var calls = Executors.newVirtualThreadPerTaskExecutor()) {
            storage.setSoTimeout(Math.toIntExact(START.toMillis()));
            // Resource and suffix make https://127.0.0.1:PORT.
            Files.writeString(folder.resolve("accounts.json"), """
                    {"tenants": [{"name": "t", "keys": [{"id": "a", "sha256": "%s"}], "accounts": [
                    {"resourceName": "127", "storage":
                    {"type": "azure", "container": "blocks", "credential": "env:KVSTORE_SECRET"}}]}]}
                    """.formatted(
                            HexFormat.of().formatHex(hash)));
            try (ServingNode node = start(
                            Map.of("KVSTORE_SECRET", "sv=2026&sig=c2lnbmF0dXJl"),
                            "127.0.0.1",
                            "--blob-dns-suffix",
                            ".0.0.1:" + storage.getLocalPort());
                    KvClient client = KvClient.builder()
                            .endpoints("127.0.0.1:" + node.port())
                            .resource("127")
                            .apiKey(key)
                            .deadline(Duration.ofSeconds(5))
                            .build()) {
                Future<Prefix> lookup = calls.submit(() -> client.lookup(prompt.partition(), prompt.chain()));

                try (Socket sought = storage.accept()) {
                    assertThat(sought.getInputStream().read()).as("first byte").isEqualTo(TLS_HANDSHAKE);
                }

                assertThat(lookup)
                        .as("a future that does not end has no cause")
                        .failsWithin(START)
                        .withThrowableThat()
                        .withCauseInstanceOf(KvStoreException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".not a host", "/path?query"})
    void theBlobDnsSuffixMustMakeAHost(String suffix) throws Exception {
        writeAzureAccount();

        Kv.KvResult result = Kv.run(folder, Map.of(), command(1, "127.0.0.1", "--blob-dns-suffix", suffix));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("https://prod" + suffix + " is no address")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "CPUs are bound by taskset, which is Linux' own")
    void theNumaNodeIsTheOneWhoseCpusAreUsed(String id) throws Exception {
        Map<String, String> machine = NumaTree.environment(folder.resolve("machine"));
        try (ServingNode node = start(machine, "127.0.0.1", "--numa-node", id)) {
            assertThat(NumaTree.cpusAllowed(node.process().pid())).isEqualTo(id);
            assertThat(node.metrics().sumsBy("kvstore_info", "numa_node")).isEqualTo(Map.of(id, 1.0));
        }
    }

    private ServingNode start(Map<String, String> environment, String host, String... flags) throws IOException {
        int port = FreePorts.row(1, 0, 1_000);
        Path out = folder.resolve(port + ".out");
        Path err = folder.resolve(port + ".err");
        Process process = Kv.start(folder, environment, command(port, host, flags), out, err);
        URI ready = URI.create("http://" + host + ":" + (port + 1_000) + "/q/health/ready");
        try {
            await().atMost(START).until(() -> Readiness.http(ready).isReady() || !process.isAlive());
            assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
            return new ServingNode(process, port, host, out);
        } catch (IOException | RuntimeException | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private List<String> command(int port, String host, String... flags) {
        List<String> command = new ArrayList<>(List.of("node", "--accounts", "accounts.json"));
        command.addAll(List.of("--port", "" + port, "--host", host));
        command.addAll(List.of(flags));
        return command;
    }

    private void writeAzureAccount() throws IOException {
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [], "accounts": [{"resourceName": "prod", "storage":
                {"type": "azure", "container": "blocks", "credential": "managed-identity"}}]}]}
                """);
    }

    private static void connect(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), Readiness.TIMEOUT_MILLIS);
        }
    }

    private static List<String> threads(ServingNode node, String name) throws IOException {
        Path tasks = Path.of("/proc", Long.toString(node.process().pid()), "task");
        List<String> names = new ArrayList<>();
        try (Stream<Path> threads = Files.list(tasks)) {
            for (Path thread : threads.toList()) {
                names.add(Files.readString(thread.resolve("comm")).strip());
            }
        }
        names.removeIf(any -> !any.equals(name));
        return names;
    }
}
