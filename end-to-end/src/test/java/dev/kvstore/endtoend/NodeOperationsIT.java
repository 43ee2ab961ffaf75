package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The health and metrics of one data plane: {@code docs/operations/metrics.md} is true. */
class NodeOperationsIT {
    private static final Duration START = Duration.ofSeconds(90);
    private static final String KEY = "kv_0a1b2c3d_SeCrEtOfTheTest";
    private static final String WRONG_KEY = "kv_0a1b2c3d_WrOnGsEcReT";
    private static final int TOKEN = 987_654_321;
    private static final String CONTENT = "CoNtEnT-oF-a-BlOcK-";
    // Name, type, labels and help of a row of the handbook.
    private static final Pattern METER =
            Pattern.compile("^\\| `(kvstore_\\w+)` \\| (\\w+) \\| \\w* ?\\| ([^|]*) ?\\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("`(\\w+)`");
    private static final Pattern TYPE = Pattern.compile("^# TYPE (kvstore_\\w+) (\\w+)$", Pattern.MULTILINE);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static int port;
    private static Process process;
    private static Path out;

    @BeforeAll
    static void serveAndUse() throws Exception {
        port = FreePorts.row(1, 0, 1_000);
        out = folder.resolve("out");
        Path noFolder = Files.writeString(folder.resolve("a-file"), "not a folder");
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}], "accounts": [
                  {"resourceName": "demo", "storage": {"type": "filesystem", "path": "%s"}},
                  {"resourceName": "broken", "storage": {"type": "filesystem", "path": "%s"}},
                  {"resourceName": "away", "storage": {"type": "azure", "endpoint": "http://127.0.0.1:9",
                   "container": "blocks", "credential": "env:KVSTORE_SECRET"}}]}]}
                """.formatted(hash, folder.resolve("blocks"), noFolder));
        process = start(port, out, "--log-level", "trace", "--log-format", "json");
        use();
    }

    private static Process start(int port, Path out, String... flags) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("node", "--accounts", "accounts.json", "--host", "127.0.0.1", "--port", "" + port));
        command.addAll(List.of(flags));
        Path err = folder.resolve(out.getFileName() + ".err");
        Process started =
                Kv.start(folder, Map.of("KVSTORE_SECRET", "sv=2026&sig=U2VjcmV0U2lnbmF0dXJl"), command, out, err);
        Readiness ready = Readiness.http(http(port, "/q/health/ready"));
        await().atMost(START).until(() -> ready.isReady() || !started.isAlive());
        assertThat(started.isAlive()).as(Files.readString(err)).isTrue();
        return started;
    }

    /** A write, a lookup and reads; storage that fails; a key that is wrong. */
    private static void use() {
        Partition partition = Partition.of("operations", 16);
        int[] ids = new int[32];
        Arrays.fill(ids, TOKEN);
        BlockChain chain = BlockChain.of(partition, Tokens.of(ids));
        NewBlock block = NewBlock.of(
                chain,
                0,
                Tokens.slice(ids, 0, 16),
                ByteBuffer.wrap(CONTENT.repeat(1_000).getBytes(US_ASCII)));
        try (KvClient client = client("demo", KEY)) {
            client.write(partition, block);
            assertThat(client.lookup(partition, chain).cachedBlocks()).isEqualTo(1);
            client.readBlock(chain.location(0)).close();
            try (BlockStream blocks = client.read(List.of(chain.location(0), chain.location(1)))) {
                for (BlockResult result : blocks) {
                    if (result instanceof BlockResult.Found(Block found)) {
                        found.close();
                    }
                }
            }
        }
        for (String resource : List.of("broken", "away")) {
            try (KvClient client = client(resource, KEY)) {
                assertThatExceptionOfType(KvStoreException.class).isThrownBy(() -> client.write(partition, block));
            }
        }
        try (KvClient client = client("demo", WRONG_KEY)) {
            assertThatExceptionOfType(KvStoreException.class).isThrownBy(() -> client.write(partition, block));
        }
    }

    private static KvClient client(String resource, String key) {
        return KvClient.builder()
                .endpoints("127.0.0.1:" + port)
                .resource(resource)
                .apiKey(key)
                .retry(RetryOptions.NONE)
                .deadline(Duration.ofSeconds(60))
                .build();
    }

    @AfterAll
    static void stop() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Test
    void everyMeterIsDocumentedAndEveryDocumentedMeterIsThere() throws Exception {
        String document = Files.readString(Home.current().path().resolve("docs/operations/metrics.md"));
        Map<String, String> documented = new TreeMap<>();
        METER.matcher(document.substring(0, document.indexOf("# Metrics of a control plane")))
                .results()
                .filter(meter ->
                        !meter.group(4).matches(".*Only with (TLS|a cluster|a control plane|such a file)\\..*"))
                .forEach(meter -> documented.put(meter.group(1), meter.group(2) + " " + labels(meter.group(3))));

        assertThat(meters()).isEqualTo(documented);
    }

    private static Set<String> labels(String column) {
        return LABEL.matcher(column)
                .results()
                .map(label -> label.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Type and labels by name. */
    private static Map<String, String> meters() throws Exception {
        Metrics metrics = Metrics.scrape(http("/q/metrics"));
        Map<String, String> types = new TreeMap<>();
        TYPE.matcher(get("/q/metrics").body()).results().forEach(type -> types.put(type.group(1), type.group(2)));
        types.keySet().removeIf(name -> name.endsWith("_max"));
        types.replaceAll((name, type) -> {
            Set<String> labels = new TreeSet<>();
            metrics.samples().stream()
                    .filter(sample -> sample.name().equals(type.equals("histogram") ? name + "_count" : name))
                    .forEach(sample -> labels.addAll(sample.labels().keySet()));
            return type + " " + labels;
        });
        return types;
    }

    @Test
    void oneBrokenStorageIsCountedAndTakesNobodyElseAway() throws Exception {
        HttpResponse<String> answer = get("/q/health/ready");

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode storage = check(answer, "storage");
        assertThat(storage.path("status").asText()).isEqualTo("UP");
        assertThat(storage.path("data").path("failing").asInt()).isEqualTo(2);
        assertThat(answer.body())
                .as("whose storage it is, is not for who asks without a key")
                .doesNotContain("a-file", "127.0.0.1:9", "U2VjcmV0U2lnbmF0dXJl", "sig=");
    }

    @Test
    void healthHasACheckPerFailureMode() throws Exception {
        assertThat(checks("/q/health/live")).contains("process");
        assertThat(checks("/q/health/ready"))
                .contains("memory", "storage", "disk tier", "tls", "accounts", "gRPC Server");
        assertThat(get("/q/health/started").statusCode()).isEqualTo(200);
    }

    @Test
    void grpcHealthIsServedWithoutAKey() throws Exception {
        try (HealthClient health = new HealthClient(port)) {
            assertThat(health.check("")).isEqualTo(HealthClient.SERVING);
            assertThat(health.check("kvstore.v1.KVStoreService")).isEqualTo(HealthClient.SERVING);
        }
    }

    @Test
    void whoWatchesHealthHearsThatTheProcessIsToldToStop() throws Exception {
        int other = FreePorts.row(1, 0, 1_000);
        Process node = start(other, folder.resolve("stopped"));
        try (HealthClient health = new HealthClient(other)) {
            Iterator<Integer> statuses = health.watch("kvstore.v1.KVStoreService");
            assertThat(statuses.next()).isEqualTo(HealthClient.SERVING);

            node.destroy();

            assertThat(statuses.next()).isEqualTo(HealthClient.NOT_SERVING);
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void aLogInJsonHasOneObjectALine() throws Exception {
        List<String> lines = Files.readAllLines(out, UTF_8);

        assertThat(lines).hasSizeGreaterThan(10);
        for (String line : lines) {
            JsonNode entry = JSON.readTree(line);
            assertThat(entry.path("level").asText()).isNotEmpty();
            assertThat(entry.path("message").isTextual()).isTrue();
        }
    }

    @Test
    void keysTokensAndContentAreLoggedAtNoLevel() throws Exception {
        String log = Files.readString(out, UTF_8) + Files.readString(folder.resolve("out.err"), UTF_8);

        assertThat(log)
                .contains("DEBUG")
                .doesNotContain("SeCrEtOfTheTest", "WrOnGsEcReT", "U2VjcmV0U2lnbmF0dXJl")
                .doesNotContain(hex("SeCrEtOfTheTest"), hex("WrOnGsEcReT"))
                .doesNotContain(Integer.toString(TOKEN), "b168de3a")
                .doesNotContain(CONTENT, hex(CONTENT));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(US_ASCII));
    }

    private static List<String> checks(String path) throws Exception {
        return JSON.readTree(get(path).body()).path("checks").findValuesAsText("name");
    }

    private static JsonNode check(HttpResponse<String> answer, String name) throws IOException {
        for (JsonNode check : JSON.readTree(answer.body()).path("checks")) {
            if (check.path("name").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("no check " + name + " in " + answer.body());
    }

    private static HttpResponse<String> get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(http(path))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static URI http(String path) {
        return http(port, path);
    }

    private static URI http(int port, String path) {
        return URI.create("http://127.0.0.1:" + (port + 1_000) + path);
    }
}
