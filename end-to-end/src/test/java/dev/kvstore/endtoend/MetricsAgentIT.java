package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Metrics of a machine on their way to Azure Monitor: the commands of {@code deploy/machine/kv-metrics.service} start a
 * real Prometheus, which scrapes a real data plane. A second Prometheus receives in Azure's place, and lets in
 * everybody.
 */
class MetricsAgentIT {
    private static final Path MACHINE = Home.current().path().resolve("deploy/machine");
    private static final String NAME = "eu-1-aB7K2QX";
    private static final String TOKEN = "/run/kv-tokens/monitor";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final Duration START = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void require() {
        TerraformConsole.require();
        for (String program : List.of("prometheus", "promtool")) {
            assumeTrue(GoTool.isOnPath(program), "missing: " + program + ", of the package prometheus");
        }
    }

    @AfterEach
    void stop() {
        for (Process process : processes) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void theConfigurationsOfBothPlanesAreSound() throws Exception {
        URI url = URI.create("https://kv-dce.germanywestcentral-1.metrics.ingest.monitor.azure.com/api/v1/write");
        for (String plane : List.of(
                "job = \"kvstore-data-plane\", scheme = \"http\", ports = [9085, 9086], labels = {region = \"eu-1\"}",
                "job = \"kvstore-control-plane\", scheme = \"https\", ports = [8080], labels = {}")) {
            Path file = Files.writeString(folder.resolve("metrics.yaml"), configuration(plane, url));

            assertThat(GoTool.run(folder, Map.of(), List.of("promtool", "check", "config", "--agent", file.toString())))
                    .contains("SUCCESS")
                    .doesNotContain("FAILED");
        }
    }

    @Test
    void aDataPlaneIsSeenWithTheLabelsThatAlertsKnow() throws Exception {
        int port = FreePorts.row(1, 0, 1_000);
        startDataPlane(port);
        URI receiver = startReceiver();
        Files.writeString(
                Files.createDirectories(folder.resolve("etc")).resolve("metrics.yaml"),
                configuration(
                        "job = \"kvstore-data-plane\", scheme = \"https\", ports = [" + (port + 1_000)
                                + "], labels = {region = \"eu-1\", cluster = \"eu-1-a\"}",
                        receiver.resolve("/api/v1/write")));
        startUnit();

        await().atMost(Patience.LIMIT)
                .until(() -> !series(receiver, "kvstore_info").isEmpty());
        for (String metric : List.of("kvstore_info", "up", "process_start_time_seconds")) {
            JsonNode labels = series(receiver, metric).get(0).path("metric");
            assertThat(labels.path("region").asText()).as(metric).isEqualTo("eu-1");
            assertThat(labels.path("cluster").asText()).as(metric).isEqualTo("eu-1-a");
            assertThat(labels.path("job").asText()).as(metric).isEqualTo("kvstore-data-plane");
            assertThat(labels.path("instance").asText()).as(metric).isEqualTo(NAME + ":" + (port + 1_000));
        }
    }

    /** The configuration that the modules render, with a token that this test may write. */
    private String configuration(String plane, URI url) throws Exception {
        Path token = Files.writeString(folder.resolve("monitor"), "a-token");
        String rendered = TerraformConsole.text(
                folder,
                "templatefile(\"" + MACHINE.resolve("metrics.yaml.tftpl") + "\", {" + plane + ", remote_write_url = \""
                        + url + "\"})");
        assertThat(rendered).contains(TOKEN);
        return rendered.replace(TOKEN, token.toString());
    }

    private void startDataPlane(int port) throws Exception {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest("kv_0a1b2c3d_nobody".getBytes(US_ASCII)));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}], "accounts": [
                  {"resourceName": "demo", "storage": {"type": "filesystem", "path": "%s"}}]}]}
                """.formatted(hash, folder.resolve("blocks")));
        // Good for a name that is not the one by which it is scraped.
        Issued own = new TestAuthority(folder, "authority").issue("node", 1, "DNS:*.eu-1.kv.internal");
        List<String> command = new ArrayList<>(
                List.of("node", "--accounts", "accounts.json", "--host", "127.0.0.1", "--port", "" + port));
        command.addAll(List.of("--tls-cert", "" + own.chain(), "--tls-key", "" + own.key()));
        Path said = folder.resolve("node.err");
        Process node = Kv.start(folder, Map.of(), command, folder.resolve("node.out"), said);
        processes.add(node);
        awaitPort(node, port + 1_000, said);
    }

    private URI startReceiver() throws IOException {
        int port = FreePorts.one();
        Path configuration = Files.writeString(folder.resolve("receiver.yaml"), "global: {}\n");
        start(
                "receiver",
                port,
                List.of(
                        "prometheus",
                        "--web.enable-remote-write-receiver",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("received"),
                        "--web.listen-address=127.0.0.1:" + port));
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The commands of the unit, with what systemd would give them. */
    private void startUnit() throws Exception {
        int port = FreePorts.one();
        Files.createDirectories(folder.resolve("run"));
        assertThat(GoTool.run(folder, Map.of(), command("ExecStartPre", port))).isEmpty();
        start("agent", port, command("ExecStart", port));
    }

    private List<String> command(String key, int port) throws IOException {
        String line = Files.readAllLines(MACHINE.resolve("kv-metrics.service")).stream()
                .filter(one -> one.startsWith(key + "="))
                .findFirst()
                .orElseThrow();
        String here = line.substring(key.length() + 1)
                .replace("%H", NAME)
                .replace("/run/kv-metrics", folder.resolve("run").toString())
                .replace("/etc/kv", folder.resolve("etc").toString())
                .replace("/var/lib/kv-metrics", folder.resolve("state").toString())
                .replace("/usr/bin/prometheus", GoTool.onPath("prometheus").toString())
                .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + port);
        return WORD.matcher(here)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
    }

    private void start(String name, int port, List<String> command) throws IOException {
        Path said = folder.resolve(name + ".err");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        processes.add(process);
        awaitPort(process, port, said);
    }

    private static void awaitPort(Process process, int port, Path said) throws IOException {
        Readiness ready = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        await().atMost(START).until(() -> ready.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
    }

    private static JsonNode series(URI receiver, String metric) throws IOException, InterruptedException {
        URI query = receiver.resolve("/api/v1/query?query=" + URLEncoder.encode(metric, UTF_8));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return new ObjectMapper()
                    .readTree(client.send(HttpRequest.newBuilder(query).build(), BodyHandlers.ofString())
                            .body())
                    .path("data")
                    .path("result");
        }
    }
}
