package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kv node}: a wrong command line is answered in one sentence that names what is wrong. */
class NodeFlagsIT {
    private static final String ACCOUNTS = """
            {"tenants": [{"name": "t", "keys": [], "accounts": []}]}
            """;

    private static final int SIGTERM = 15;

    private static final String AZURE = """
            "type": "azure", "endpoint": "%s", "container": "%s", "credential": "env:KVSTORE_SECRET"
            """;

    @TempDir
    static Path folder;

    private static int port;

    @BeforeAll
    static void prepare() throws Exception {
        port = FreePorts.row(1, 0, 1_000);
        write("accounts.json", ACCOUNTS);
        write("cut.json", ACCOUNTS.substring(0, 20));
        write("nobody.json", "{\"tenants\": []}");
        write("badendpoint.json", withStorage(AZURE.formatted("nonsense", "blocks")));
        write("secret.json", withStorage(AZURE.formatted("https://storage.example.net", "blocks")));
    }

    /**
     * One of each kind that is found out somewhere else; FlagsTest, EarlySettingsTest and AccountsFileTest have the
     * values.
     */
    static Stream<Arguments> wrong() {
        return Stream.of(
                arguments("--port 0", "--port: must be 1 to 65535, not 0"),
                arguments("--port first", "'--port': 'first'"),
                arguments("--http-port " + port, "--http-port: must differ from --port"),
                arguments("--host no.such.host.invalid", "--host: no.such.host.invalid"),
                arguments("--host 0.0.0.0", "--host: 0.0.0.0 is not loopback"),
                arguments("--host 192.0.2.1 --plaintext", "192.0.2.1"),
                arguments("--tls-cert a.pem", "--tls-key: is missing"),
                arguments("--tls-cert a.pem --tls-key a.key", "--tls-cert: a.pem does not exist"),
                arguments(
                        "--enable-multi-nic 192.0.2.1", "--enable-multi-nic: 192.0.2.1 is no address of this machine"),
                arguments("--numa-node 1023", "--numa-node: there is no node 1023; this machine has NUMA node"),
                arguments("--numa-node first", "--numa-node: must be a number, not first"),
                arguments("--no-such-flag", "--no-such-flag"),
                arguments("--accounts missing.json", "--accounts: missing.json cannot be read"),
                arguments("--accounts .", ".: cannot be read"),
                arguments("--accounts cut.json", "cut.json: not JSON"),
                arguments("--accounts nobody.json", "nobody.json: tenants: must hold at least one"),
                arguments("--accounts badendpoint.json", "badendpoint.json: accounts[].storage.endpoint: must be"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void namesWhatIsWrong(String flags, String message) throws Exception {
        Kv.KvResult result = node(flags);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("kv node: ")
                .contains(message, "--help")
                .doesNotContain("Exception", "\tat ");
    }

    @Test
    void namesTheFlagThatIsEmpty() throws Exception {
        List<String> command = command("--host");
        command.add("");

        Kv.KvResult result = Kv.run(folder, Map.of(), command);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("kv node: --host: must not be empty\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            KVSTORE_MEMORY_TIER_SIZE      | lots              | KVSTORE_MEMORY_TIER_SIZE: cannot be "lots"; give a size such as 512M
            KVSTORE_MEMORY_TIER_SIZE      | 900G              | kvstore.memory-tier-size +
            KVSTORE_CLIENT_STALL_TIMEOUT     | -5s               | KVSTORE_CLIENT_STALL_TIMEOUT: must be 1s to 1d, not -5s
            KVSTORE_DRMA      | 1G                | KVSTORE_DRMA: there is no such setting
            JAVA_TOOL_OPTIONS | -Dkvstore.drma=1G | kvstore.drma: there is no such setting
            """)
    void namesTheSettingThatIsWrong(String variable, String value, String message) throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(variable, value), command(""));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("kv node: " + message).doesNotContain("Exception", "\tat ");
    }

    @Test
    void endsWhenItCannotServe() throws Exception {
        // Only gRPC's own library refuses this, long after the settings are checked.
        Map<String, String> unusable = Map.of("JAVA_TOOL_OPTIONS", "-Dquarkus.grpc.server.netty.keep-alive-time=0s");

        Kv.KvResult result = Kv.run(folder, unusable, command(""));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("kv node: cannot serve gRPC on 127.0.0.1:" + port);
    }

    @Test
    void tellsItsVersion() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("node", "--version"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).matches("KV Store \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells its NUMA nodes")
    void namesTheNumaNodesThatThereAre() throws Exception {
        Map<String, String> machine = NumaTree.environment(folder.resolve("machine"));

        Kv.KvResult result = Kv.run(folder, machine, command("--numa-node 2"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("kv node: --numa-node: there is no node 2; this machine has NUMA nodes 0-1\n");
    }

    @Test
    void asksForTheAccounts() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("node", "--host", "127.0.0.1"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--accounts").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_000})
    void namesThePortThatIsTaken(int offset) throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + offset));

            Kv.KvResult result = node("");

            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .contains(offset == 0 ? "--port: " : "--http-port: ", "127.0.0.1:" + (port + offset))
                    .doesNotContain("Exception", "\tat ");
        }
    }

    @Test
    void explainsEveryFlag() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("node", "--help-all"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("--accounts", "--port", "--http-port", "--host", "--plaintext", "--threads")
                .contains("--blob-dns-suffix", "--transport", "--enable-multi-nic", "--log-level", "JAVA_TOOL_OPTIONS")
                .contains("--tls-cert", "--tls-key", "--tls-client-ca", "--node-name", "--numa-node")
                .contains("(default 8085)", "(default: gRPC port + 1000)", "(default 0.0.0.0,", "auto (the default)")
                .contains("(default .blob.core.windows.net)", "(default error)", "(default: the whole machine)");
    }

    @Test
    void servesUntilItIsToldToStop() throws Exception {
        Path err = folder.resolve("serving.err");
        // A variable that the accounts refer to is no misspelt setting.
        Map<String, String> environment = Map.of("KVSTORE_SECRET", "sv=2026", "KVSTORE_DRAIN_GRACE_PERIOD", "0s");
        List<String> command = command("--accounts secret.json --transport jdk");
        Process node = Kv.start(folder, environment, command, folder.resolve("serving.out"), err);
        try {
            String http = "http://127.0.0.1:" + (port + 1_000);
            URI ready = URI.create(http + "/q/health/ready");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Readiness.http(ready).isReady() || !node.isAlive());
            assertThat(node.isAlive()).as(Files.readString(err)).isTrue();
            boolean linux = System.getProperty("os.name").equals("Linux");
            assertThat(Metrics.scrape(URI.create(http + "/q/metrics")).sumsBy("kvstore_info", "transport"))
                    .isEqualTo(Map.of(linux ? "native" : "java", 1.0));
            assertThat(Metrics.scrape(URI.create(http + "/q/metrics")).sumsBy("kvstore_info", "storage_transport"))
                    .isEqualTo(Map.of("jdk", 1.0));

            node.destroy();

            assertThat(node.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(node.exitValue()).isEqualTo(128 + SIGTERM);
        } finally {
            node.destroyForcibly();
        }
    }

    private static Kv.KvResult node(String flags) throws Exception {
        return Kv.run(folder, Map.of(), command(flags));
    }

    /** These flags, and what works for the others. */
    private static List<String> command(String flags) {
        List<String> command = new ArrayList<>(List.of("node"));
        List<String> given = flags.isEmpty() ? List.of() : List.of(flags.split(" "));
        for (String[] flag : new String[][] {
            {"--host", "127.0.0.1"}, {"--port", "" + port}, {"--accounts", "" + folder.resolve("accounts.json")}
        }) {
            if (!given.contains(flag[0])) {
                command.addAll(List.of(flag));
            }
        }
        command.addAll(given);
        return command;
    }

    private static String withStorage(String fields) {
        return ACCOUNTS.replace(
                "\"accounts\": []", "\"accounts\": [{\"resourceName\": \"demo\", \"storage\": {" + fields + "}}]");
    }

    private static void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }
}
