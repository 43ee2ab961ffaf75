package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Helm chart: sound, strict about its values, and of objects that Kubernetes knows. */
@Tag("full")
class ChartIT {
    @TempDir
    static Path folder;

    private static Chart chart = new Chart(Path.of(""), Path.of(""));

    @BeforeAll
    static void prepare() throws Exception {
        chart = new Chart(GoTool.HELM.path(), folder);
    }

    @Test
    void isSound() throws Exception {
        for (Path values : List.of(Chart.DEV, chart.production())) {
            assertThat(chart.run(
                            "lint",
                            Chart.PLACE.toString(),
                            "-f",
                            values.toString(),
                            "--strict",
                            "--kube-version",
                            "1.34.0"))
                    .contains("0 chart(s) failed");
        }
    }

    /**
     * Each command of the pages that installs or upgrades it names its namespace and sets values that the chart takes.
     */
    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "upgrades"})
    void takesTheValuesThatTheDocumentationSets(String page) throws Exception {
        String text = Files.readString(Home.current().path().resolve("docs/operations/" + page + ".md"));
        List<String> commands = text.replace("\\\n", " ")
                .lines()
                .filter(line -> line.matches("helm (install|upgrade) kv deploy/helm/kvstore .*"))
                .map(line -> line.replaceAll(" #.*", ""))
                .toList();
        assertThat(commands).isNotEmpty().allMatch(command -> command.contains(" -n kv "));
        for (String command : commands) {
            String[] set = Pattern.compile("--set(-string)? \\S+")
                    .matcher(command)
                    .results()
                    .flatMap(found -> Stream.of(found.group().split(" ")))
                    .toArray(String[]::new);
            assertThat(chart.render(Chart.DEV, set)).as(command).doesNotContain("exit code");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dataPlane.cpu=1500m              | /dataPlane/cpu
            dataPlane.memry=1Gi              | memry
            controlPlane.replicas=1          | /controlPlane/replicas
            tls.mode=none                    | /tls/mode
            dataPlane.settings.MEMORY=1G     | MEMORY
            dataPlane.settings.KVSTORE_MEMORY_TEIR_SIZE=1G | no data plane has KVSTORE_MEMORY_TEIR_SIZE
            dataPlane.settings.KVSTORE_JOIN_TOKEN=kvj_canary | no data plane has KVSTORE_JOIN_TOKEN
            dataPlane.settings.KVSTORE_MAX_OPERATIONS=many | must be a number
            dataPlane.settings.KVSTORE_TRANSFER_MEMORY=1M | KVSTORE_TRANSFER_MEMORY: must be 130M to 1P
            controlPlane.settings.KVSTORE_OPEN_METRICS=yes | must be a switch
            images.tag=latest                | images.tag
            controlPlane.enabled=false,postgresql.enabled=false,registration.enabled=false,dataPlane.controlPlane=control.example.com:9090 | dataPlane.domain: give it
            dataPlane.disk.tier=lots         | /dataPlane/disk/tier
            metrics.mode=serviceMonitors     | /metrics/mode
            metrics.dashboards.alertsPage=wiki | /metrics/dashboards/alertsPage
            dataPlane.heap=256Mi             | dataPlane.heap: 256Mi is less than
            dataPlane.memory=1Gi             | dataPlane.memory: 1Gi is too little
            dataPlane.memoryTier=30Gi        | dataPlane.memoryTier: 30Gi does not fit
            dataPlane.disk.tier=5Gi          | dataPlane.disk.tier: 5Gi is more than the volume
            generateSecrets=false            | needs
            loadBalancer.proxyProtocolFrom={balancer} | proxyProtocolFrom
            loadBalancer.advertisedAddress=kv.example.net: | advertisedAddress
            """)
    void aWrongValueIsRefusedByName(String value, String message) throws Exception {
        assertThat(chart.render(Chart.DEV, "--set", value))
                .contains(message)
                .contains("exit code 1")
                .doesNotContain("canary");
    }

    @Test
    void aServiceLeadsABalancerToAllDataPlanes() throws Exception {
        String rendered = chart.render(
                Chart.DEV,
                "--set",
                "loadBalancer.service.enabled=true,loadBalancer.service.sourceRanges={10.9.0.0/16}",
                "--set-string",
                "loadBalancer.service.annotations.service\\.beta\\.kubernetes\\.io/azure-pls-create=true");

        JsonNode service = Chart.object(rendered, "Service", "-data-plane-balancer");
        assertThat(service.at("/spec/type").asText()).isEqualTo("LoadBalancer");
        assertThat(service.at("/spec/loadBalancerSourceRanges/0").asText()).isEqualTo("10.9.0.0/16");
        assertThat(service.at("/metadata/annotations").toString()).contains("azure-pls-create\":\"true\"");
    }

    @Test
    void dashboardsAreConfigMapsThatASidecarOfGrafanaTakes() throws Exception {
        String rendered = chart.render(
                chart.production(), "--set", "metrics.dashboards.alertsPage=https://wiki.example.com/alerts");

        JsonNode storage = Chart.object(rendered, "ConfigMap", "-dashboard-storage");
        assertThat(storage.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
        assertThat(storage.at("/metadata/annotations/grafana_folder").asText()).isEqualTo("KV Store");
        assertThat(storage.at("/data/kvstore-storage.json").asText())
                .isEqualTo(Files.readString(Chart.PLACE.resolve("dashboards/kvstore-storage.json"))
                        .replace(GrafanaJson.ALERTS_PAGE, "https://wiki.example.com/alerts"));
        assertThat(Pattern.compile("grafana_dashboard: \"1\"").matcher(rendered).results())
                .hasSize(Dashboards.read().all().size());
        assertThat(chart.render(Chart.DEV)).doesNotContain("grafana_dashboard");
    }

    @Test
    void namesForOthersAreAdvertisedCertifiedAndRegistered() throws Exception {
        String rendered =
                chart.render(Chart.DEV, "--set", "dataPlane.domain=eu-1-a.kv.example.com,registration.enabled=true");

        assertThat(rendered)
                .contains("--advertise=$(POD_NAME).eu-1-a.kv.example.com:8085")
                .contains("\"addresses=*.eu-1-a.kv.example.com:8085\"")
                .contains("external-dns.alpha.kubernetes.io/hostname: eu-1-a.kv.example.com");
    }

    @Test
    void aVersionWithBuildMetadataIsALabelAllTheSame() throws Exception {
        Path packed = chart.packed("0.2.0+0123456789abcdef.1");

        assertThat(chart.run(
                        "template", "kv", packed.toString(), "-f", Chart.DEV.toString(), "--kube-version", "1.34.0"))
                .contains("helm.sh/chart: kvstore-0.2.0_0123456789abcdef.1\n")
                .doesNotContain("+0123456789abcdef");
    }

    @ParameterizedTest
    @CsvSource({"2Gi,640Mi", "4Gi,640Mi", "32Gi,1Gi", "256Gi,8Gi"})
    void heapAndMemoryOfBlocksFitTheLimitAndLeaveAnEighth(String memory, String heap) throws Exception {
        String rendered = chart.render(Chart.DEV, "--set", "dataPlane.memory=" + memory + ",dataPlane.heap=" + heap);

        JsonNode container =
                Chart.object(rendered, "StatefulSet", "-data-plane").at("/spec/template/spec/containers/0");
        long limit = mebibytes(container.at("/resources/limits/memory").asText());
        long sum = mebibytes(heap)
                + Stream.of("MEMORY_TIER_SIZE", "TRANSFER_MEMORY", "INBOUND_MEMORY", "UNREAD_RESPONSE_MEMORY")
                        .mapToLong(name -> mebibytes(variable(container, "KVSTORE_" + name)))
                        .sum();
        assertThat(variable(container, "JAVA_TOOL_OPTIONS")).isEqualTo("-Xmx" + mebibytes(heap) + "m");
        assertThat(sum).isEqualTo(limit - Math.max(limit / 8, 320));
        assertThat(container.at("/resources/requests")).isEqualTo(container.at("/resources/limits"));
    }

    @Test
    void everyPodIsConfined() throws Exception {
        for (Path values : List.of(Chart.DEV, chart.production())) {
            String rendered = chart.render(values);
            for (JsonNode pod : List.of(
                    Chart.object(rendered, "Deployment", "-control-plane").at("/spec/template/spec"),
                    Chart.object(rendered, "StatefulSet", "-data-plane").at("/spec/template/spec"))) {
                assertThat(pod.path("automountServiceAccountToken").asBoolean(true))
                        .isFalse();
                assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
                JsonNode security = pod.at("/containers/0/securityContext");
                assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
                assertThat(pod.at("/containers/0/volumeMounts").findValuesAsText("mountPath"))
                        .contains("/tmp");
            }
        }
    }

    @Test
    void certificatesAreForFullNames() throws Exception {
        String rendered = chart.render(
                chart.production(), "--set", "tls.mode=certManager,tls.issuer.name=authority,dataPlane.enabled=true");

        assertThat(Chart.object(rendered, "Certificate", "-data-plane-tls").at("/spec/dnsNames"))
                .extracting(JsonNode::asText)
                .contains("*.kv-kvstore-data-plane.kv.svc.cluster.local", "kv-kvstore-data-plane.kv.svc")
                .doesNotContain("*.kv-kvstore-data-plane");
        assertThat(Chart.object(rendered, "StatefulSet", "-data-plane").toString())
                .contains("--advertise=$(POD_NAME).kv-kvstore-data-plane.kv.svc.cluster.local:8085");
    }

    @Test
    void aLoadBalancerIsNamedToBothPlanesAndItsNameIsInCertificateAndRegistration() throws Exception {
        String values = "loadBalancer.proxyProtocolFrom={10.0.9.0/24,fd00:9::/64},"
                + "loadBalancer.advertisedAddress=kv.example.net:443";
        String rendered = chart.render(Chart.DEV, "--set", values);

        for (JsonNode workload : List.of(
                Chart.object(rendered, "Deployment", "-control-plane"),
                Chart.object(rendered, "StatefulSet", "-data-plane"))) {
            assertThat(variable(workload.at("/spec/template/spec/containers/0"), "KVSTORE_PROXY_PROTOCOL_FROM"))
                    .isEqualTo("10.0.9.0/24,fd00:9::/64");
        }
        assertThat(rendered).contains("advertisedAddress=kv.example.net:443");
        String production = chart.render(
                chart.production(),
                "--set",
                values + ",tls.mode=certManager,tls.issuer.name=authority,dataPlane.enabled=true");
        assertThat(Chart.object(production, "Certificate", "-data-plane-tls").at("/spec/dnsNames"))
                .extracting(JsonNode::asText)
                .contains("kv.example.net");
        assertThat(chart.render(Chart.DEV)).doesNotContain("PROXY_PROTOCOL", "advertisedAddress");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.33.0", "v1.34.0"})
    void everyObjectIsOfASchemaOfKubernetes(String version) throws Exception {
        for (Path values : List.of(Chart.DEV, chart.production())) {
            Path objects = Files.writeString(folder.resolve("objects.yaml"), chart.render(values));

            assertThat(KubernetesSchemas.check(version, objects))
                    .contains("Invalid: 0, Errors: 0, Skipped: 0")
                    .doesNotContain("exit code");
        }
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText();
            }
        }
        throw new AssertionError(name + " is not set");
    }

    private static long mebibytes(String size) {
        long number = Long.parseLong(size.replaceAll("\\D", ""));
        return size.contains("G") ? number * 1024 : number;
    }
}
