package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import dev.kvstore.endtoend.Dashboards.Dashboard;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each panel of each dashboard has data: a real Prometheus scrapes two regions under load, with a warming and a purge, a
 * data plane with TLS, and the page of an engine's connector, whose agent moves blocks.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardDataIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Path RULES = Home.current().path().resolve("deploy/observability/kvstore.slo.rules.yaml");
    private static final String HOME = StackLayout.HOME;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private LocalStack stack;
    private LocalPrometheus prometheus;

    @BeforeAll
    void start() throws Exception {
        LocalPrometheus.require();
        PythonTools python = PythonTools.of("kvstore-vllm", folder);
        StackLayout layout = new StackLayout(
                List.of(
                        new StackLayout.Region(HOME, List.of(new StackLayout.Cluster(HOME, 2))),
                        new StackLayout.Region(Stacks.AWAY, List.of(new StackLayout.Cluster(Stacks.AWAY, 1)))),
                Duration.ofMillis(5));
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder.resolve("stack"))
                .withStorage(StorageKind.AZURITE)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(layout)
                .withJvm(FastBeats.FAST)
                .withSettings(Map.of("KVSTORE_MEMORY_TIER_SIZE", "4M", "KVSTORE_DISK_TIER_SIZE", "512M"));
        stack = opened(LocalStack.start(options, new SecureRandom()));
        int secured = startWithTls();
        int engine = startEngine(python);
        prometheus = opened(LocalPrometheus.start(folder, configuration(secured, engine)));
        KvClient client = opened(KvClient.builder()
                .controlPlane(control().address())
                .region(HOME)
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build());
        Traffic traffic = opened(Traffic.begin(client));
        traffic.awaitMore(20);
        warm();
        purge(client);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.addFirst(resource);
        return resource;
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    @Test
    void eachPanelHasANumber() throws Exception {
        Dashboards dashboards = Dashboards.read();
        List<String> left = new ArrayList<>(queries(dashboards));
        assertThat(left).hasSizeGreaterThan(100);

        await().atMost(SOON).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            askControlPlane();
            for (String query : List.copyOf(left)) {
                if (hasNumber(query)) {
                    left.remove(query);
                }
            }
            assertThat(left).isEmpty();
        });
    }

    private static List<String> queries(Dashboards dashboards) {
        return dashboards.all().stream()
                .flatMap(Dashboard::panels)
                .flatMap(panel -> panel.queries().values().stream())
                .map(query -> query.replace("$__rate_interval", "20s").replaceAll("\"\\$\\w+\"", "\".*\""))
                .toList();
    }

    private boolean hasNumber(String query) throws IOException, InterruptedException {
        return prometheus.query(query).stream()
                .map(series -> series.at("/value/1").asText())
                .anyMatch(value -> !value.equals("NaN"));
    }

    private StackControlPlane control() {
        return Objects.requireNonNull(stack.controlPlane());
    }

    /** A data plane that nobody calls. */
    private int startWithTls() throws Exception {
        int port = FreePorts.row(1, 0, StackDataPlane.HTTP_OFFSET);
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest("kv_0a1b2c3d_nobody".getBytes(US_ASCII)));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}], "accounts": [
                  {"resourceName": "demo", "storage": {"type": "filesystem", "path": "%s"}}]}]}
                """.formatted(hash, folder.resolve("blocks")));
        Issued own = new TestAuthority(folder, "authority").issue("node", 1, "DNS:localhost");
        List<String> command = List.of(
                "node",
                "--accounts",
                "accounts.json",
                "--host",
                "127.0.0.1",
                "--port",
                "" + port,
                "--tls-cert",
                "" + own.chain(),
                "--tls-key",
                "" + own.key());
        Process node = Kv.start(folder, Map.of(), command, folder.resolve("node.out"), folder.resolve("node.err"));
        opened(() -> {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        });
        return port + StackDataPlane.HTTP_OFFSET;
    }

    private int startEngine(PythonTools python) throws IOException {
        int port = FreePorts.one();
        Process engine = python.start(
                Map.of("KV_API_KEY", stack.key().text()),
                folder.resolve("engine.txt"),
                "python",
                "tests/metrics_page.py",
                "" + port,
                LocalStack.RESOURCE,
                stack.dataPlane(0).endpoint());
        opened(engine::destroyForcibly);
        return port;
    }

    /** As docs/operations/alerts.md has it: jobs by their names, data planes with region and cluster. */
    private String configuration(int secured, int engine) {
        StringBuilder text = new StringBuilder("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [");
        text.append(RULES).append("]\nscrape_configs:\n");
        text.append("""
                - job_name: kvstore-control-plane
                  metrics_path: /q/metrics
                  static_configs: [{targets: ['%s']}]
                - job_name: vllm
                  static_configs: [{targets: ['127.0.0.1:%d']}]
                - job_name: tls/kvstore-data-plane
                  metrics_path: /q/metrics
                  scheme: https
                  tls_config: {insecure_skip_verify: true}
                  static_configs: [{targets: ['127.0.0.1:%d']}]
                - job_name: kvstore-data-plane
                  metrics_path: /q/metrics
                  static_configs:
                """.formatted(control().restUrl().getAuthority(), engine, secured));
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            text.append("    - {targets: ['%s'], labels: {region: %s, cluster: %s}}\n"
                    .formatted(dataPlane.metricsUrl().getAuthority(), dataPlane.region(), dataPlane.cluster()));
        }
        return text.toString();
    }

    /** A standing warming, which is not over as long as the test runs. */
    private void warm() throws InterruptedException {
        ObjectNode spec = new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", HOME)
                .put("to", Stacks.AWAY)
                .put("everySeconds", 10);
        spec.putObject("select").put("used", true);
        post("warmings", spec);
    }

    private void purge(KvClient client) throws InterruptedException {
        TestPrompt prompt = TestPrompt.unique(1);
        client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(1_000, 0)));
        post(
                "purges",
                new ObjectMapper()
                        .createObjectNode()
                        .put("resourceName", LocalStack.RESOURCE)
                        .put("partition", prompt.partition().name())
                        .put("blockTokens", prompt.partition().blockTokens()));
    }

    private void askControlPlane() throws InterruptedException {
        try (AdminClient admin = control().admin()) {
            var _ = admin.send(RestRequest.get(List.of("v1", "warmings"))).accepted();
        }
    }

    private void post(String what, ObjectNode spec) throws InterruptedException {
        try (AdminClient admin = control().admin()) {
            var _ = admin.send(RestRequest.post(List.of("v1", what), spec)).accepted();
        }
    }
}
