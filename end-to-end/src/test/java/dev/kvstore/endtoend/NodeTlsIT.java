package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.testing.FreePorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/operations/tls.md} is true: its commands and its example are taken from there and run, in their order.
 */
class NodeTlsIT {
    private static final Pattern BLOCK = Pattern.compile("```(bash|java)\n(.*?)```", Pattern.DOTALL);
    private static final String KEY = "kv_0a1b2c3d_of-no-value";
    private static final Map<String, String> FAST =
            Map.of("KVSTORE_TLS_RELOAD_INTERVAL", "1s", "KVSTORE_DRAIN_GRACE_PERIOD", "0s");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private int port;
    private @Nullable Process node;

    @BeforeEach
    void writeAccounts() throws Exception {
        port = FreePorts.row(1, 0, 1_000);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
                  "accounts": [{"resourceName": "demo", "storage": {"type": "filesystem", "path": "%s"}}]}]}
                """.formatted(hash, folder.resolve("blocks")));
    }

    @AfterEach
    void stop() throws Exception {
        stopNode();
    }

    @Test
    void theHandbookIsTrue() throws Exception {
        Matcher blocks = BLOCK.matcher(Files.readString(Home.current().path().resolve("docs/operations/tls.md")));
        int nodes = 0;
        while (blocks.find()) {
            String block = blocks.group(2).replace("8085", "" + port).replace("9085", "" + (port + 1_000));
            if (blocks.group(1).equals("java")) {
                assertThat(example(block)).isEqualTo("0 blocks are stored\n");
            } else if (block.startsWith("./kv node ")) {
                startNode(List.of(block.strip().substring("./kv ".length()).split(" ")));
                nodes++;
            } else {
                bash(block);
            }
        }

        // The second node of the handbook asks for client certificates.
        assertThat(nodes).isEqualTo(2);
        assertThat(failure(client())).hasMessageContaining("clientCertificate(");
        assertThat(failure(client().clientCertificate(folder.resolve("client.pem"), folder.resolve("client.key"))))
                .isNull();
    }

    @Test
    void aBrokenReplacementLeavesTheProcessServingAndIsLoggedWithItsFile() throws Exception {
        certificates();
        startNode(List.of(command("server.pem", "server.key").split(" ")));

        Files.writeString(folder.resolve("server.key"), "garbage");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.readString(folder.resolve("node.out")).contains("server.key holds no private key"));
        assertThat(metrics()).contains("kvstore_tls_reload_failures_total 1.0");
        assertThat(failure(client())).isNull();
    }

    @Test
    void itsMetricsAreListedAndSound() throws Exception {
        certificates();
        startNode(List.of(command("server.pem", "server.key").split(" ")));

        ScrapedMetrics page = new ScrapedMetrics(metrics());

        assertThat(page.text()).contains("kvstore_tls_certificate_expiration_timestamp_seconds");
        page.assertListed();
        page.assertSound(folder);
    }

    @Test
    void aWrongFileIsNamedWithItsFlag() throws Exception {
        certificates();

        assertThat(refused("server.pem", "missing.key")).startsWith("kv node: --tls-key: missing.key does not exist");
        assertThat(refused("server.pem", "ca.key"))
                .startsWith("kv node: --tls-key: ca.key is not the key of the certificate in server.pem");
        assertThat(refused("accounts.json", "server.key"))
                .startsWith("kv node: --tls-cert: accounts.json holds no certificate");
    }

    @Test
    void theSettingsAreAsGoodAsTheFlags() throws Exception {
        certificates();
        Kv.KvResult half = Kv.run(
                folder,
                Map.of("KVSTORE_TLS_CERT", "server.pem"),
                List.of("node", "--accounts", "accounts.json", "--port", "" + port));

        assertThat(half.exitCode()).isEqualTo(2);
        assertThat(half.err()).startsWith("kv node: --tls-key: is missing");

        startNode(
                List.of("node", "--accounts", "accounts.json", "--port", "" + port),
                Map.of("KVSTORE_TLS_CERT", "server.pem", "KVSTORE_TLS_KEY", "server.key"));
        assertThat(failure(client())).isNull();
        assertThat(metrics()).contains("kvstore_tls_certificate_expiration_timestamp_seconds", "tls=\"boringssl\"");
    }

    private String command(String certificate, String key) {
        return "node --accounts accounts.json --port " + port + " --tls-cert " + certificate + " --tls-key " + key;
    }

    private String refused(String certificate, String key) throws Exception {
        Kv.KvResult result =
                Kv.run(folder, Map.of(), List.of(command(certificate, key).split(" ")));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).doesNotContain("Exception", "\tat ");
        return result.err();
    }

    /** The first commands of the handbook. */
    private void certificates() throws Exception {
        Matcher blocks = BLOCK.matcher(Files.readString(Home.current().path().resolve("docs/operations/tls.md")));
        assertThat(blocks.find()).isTrue();
        bash(blocks.group(2));
    }

    private void startNode(List<String> command) throws Exception {
        startNode(command, Map.of());
    }

    private void startNode(List<String> command, Map<String, String> environment) throws Exception {
        stopNode();
        Map<String, String> all = new HashMap<>(FAST);
        all.putAll(environment);
        Process started = Kv.start(folder, all, command, folder.resolve("node.out"), folder.resolve("node.err"));
        node = started;
        Readiness listening = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Readiness http = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 1_000));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> (listening.isReady() && http.isReady()) || !started.isAlive());
        assertThat(started.isAlive())
                .as(Files.readString(folder.resolve("node.err")))
                .isTrue();
    }

    private void stopNode() throws Exception {
        if (node != null) {
            node.destroy();
            assertThat(node.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private String bash(String commands) throws Exception {
        Path said = folder.resolve("bash.out");
        Process bash = new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).as(commands).isTrue();
        String out = Files.readString(said);
        assertThat(bash.exitValue()).as(commands + out).isZero();
        return out;
    }

    private String metrics() throws Exception {
        return bash(
                "curl --fail --silent --show-error --cacert ca.pem https://localhost:" + (port + 1_000) + "/q/metrics");
    }

    private String example(String program) throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), program);
        List<String> command = JvmOptions.java(List.of(
                "-XX:TieredStopAtLevel=1",
                "--class-path",
                System.getProperty("java.class.path"),
                source.toString(),
                KEY));
        Path out = folder.resolve("example.out");
        Path err = folder.resolve("example.err");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }

    private KvClientBuilder client() {
        return KvClient.builder()
                .endpoints("localhost:" + port)
                .trust(folder.resolve("ca.pem"))
                .apiKey(KEY)
                .resource("demo");
    }

    /** The failure of a lookup; null if it succeeds. */
    private static @Nullable KvStoreException failure(KvClientBuilder builder) {
        TestPrompt prompt = TestPrompt.unique(1);
        BlockChain chain = prompt.chain();
        try (KvClient client = builder.build()) {
            return catchThrowableOfType(KvStoreException.class, () -> client.lookup(prompt.partition(), chain));
        }
    }
}
