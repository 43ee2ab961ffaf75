package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The values that terraform/modules/cluster-aks has for the chart: the chart takes them, and does what they say. */
@Tag("full")
class AksValuesIT {
    private static final Path TEMPLATE =
            Home.current().path().resolve("terraform/modules/cluster-aks/templates/values.yaml.tftpl");
    /** Values of the operator: certificates and secrets. */
    private static final String OWN = """
            tls: {mode: secret, controlPlaneSecret: kv-control-tls, dataPlaneSecret: kv-data-tls}
            controlPlane: {database: {secret: kv-db, authoritySecret: kv-db-ca}}
            dataPlane: {joinTokenSecret: kv-join}
            """;

    @TempDir
    Path folder;

    private Chart chart;

    @BeforeEach
    void prepare() throws Exception {
        TerraformConsole.require();
        chart = new Chart(GoTool.HELM.path(), folder);
    }

    @Test
    void dataPlanesGoToTheirNodesWithTheirIdentity() throws Exception {
        String objects = helm("{grpc_endpoint = \"control.kv.example.com:9090\", database = null}", 512);

        JsonNode pod = object(objects, "StatefulSet").path("spec").path("template");
        assertThat(pod.path("spec")
                        .path("nodeSelector")
                        .path("kvstore.dev/plane")
                        .asText())
                .isEqualTo("data");
        assertThat(pod.path("spec").path("tolerations").get(0).path("effect").asText())
                .isEqualTo("NoSchedule");
        assertThat(pod.path("metadata")
                        .path("labels")
                        .path("azure.workload.identity/use")
                        .asText())
                .isEqualTo("true");
        assertThat(pod.path("spec").path("containers").get(0).path("args").toString())
                .contains("--control-plane=control.kv.example.com:9090", "--region=eu-1", "--cluster=eu-1-a")
                .contains("--advertise=$(POD_NAME).eu-1-a.kv.example.com:8085");
        assertThat(object(objects, "Service")
                        .at("/metadata/annotations")
                        .path("external-dns.alpha.kubernetes.io/hostname")
                        .asText())
                .as("external-dns makes a name of each pod")
                .isEqualTo("eu-1-a.kv.example.com");
        assertThat(object(objects, "ServiceAccount")
                        .path("metadata")
                        .path("name")
                        .asText())
                .as("as the federated credential has it")
                .isEqualTo("kv-kvstore-data-plane");
        assertThat(objects).doesNotContain("kind: Deployment");
    }

    @Test
    void aControlPlaneUsesTheDatabaseAndChecksWhoItIs() throws Exception {
        String objects =
                helm("{database = {jdbc_url = \"jdbc:postgresql://db.example.com/kvstore?sslmode=verify-full\"}}", 0);

        assertThat(object(objects, "Deployment").toString())
                .contains("--jdbc-url=jdbc:postgresql://db.example.com/kvstore?sslmode=verify-full\"");
        assertThat(object(objects, "StatefulSet")
                        .path("spec")
                        .path("volumeClaimTemplates")
                        .isMissingNode())
                .as("no volume without a disk tier")
                .isTrue();
    }

    @Test
    void azuresAgentFindsPodsOfBothPlanesAndIsLetIn() throws Exception {
        String objects =
                helm("{database = {jdbc_url = \"jdbc:postgresql://db.example.com/kvstore?sslmode=verify-full\"}}", 0);

        for (String plane : List.of("data-plane", "control-plane")) {
            JsonNode monitor = Chart.object(objects, "ServiceMonitor", plane);
            assertThat(monitor.path("apiVersion").asText())
                    .as("the group of the agent's own")
                    .isEqualTo("azmonitoring.coreos.com/v1");
            assertThat(monitor.at("/spec/endpoints/0/scheme").asText()).isEqualTo("https");
            assertThat(monitor.at("/spec/endpoints/0/tlsConfig").toString())
                    .as("it reads no secret of another namespace")
                    .isEqualTo("{\"insecureSkipVerify\":true}");
            assertThat(Chart.object(objects, "Service", plane).at("/metadata/labels"))
                    .as("jobs are called after services")
                    .containsAll(monitor.at("/spec/selector/matchLabels"));
            JsonNode ingress = Chart.object(objects, "NetworkPolicy", plane).at("/spec/ingress");
            assertThat(ingress).as("the agent is in kube-system").anySatisfy(rule -> {
                assertThat(rule.path("ports").toString()).contains("\"http\"");
                assertThat(rule.has("from")).isFalse();
            });
        }
        assertThat(Chart.object(objects, "ServiceMonitor", "data-plane")
                        .at("/spec/endpoints/0/relabelings")
                        .toString())
                .isEqualTo("[{\"targetLabel\":\"region\",\"replacement\":\"eu-1\"}]");
    }

    private String helm(String controlPlane, int disk) throws Exception {
        Path values = Files.writeString(folder.resolve("aks.yaml"), rendered(controlPlane, disk));
        Path own = Files.writeString(folder.resolve("own.yaml"), OWN);
        String said = chart.run(
                "template",
                "kv",
                Chart.PLACE.toString(),
                "--kube-version",
                "1.34.0",
                "-n",
                "kv",
                "-f",
                values.toString(),
                "-f",
                own.toString());
        assertThat(said).doesNotContain("exit code");
        return said;
    }

    /** Terraform's own rendering of the module's template. */
    private String rendered(String controlPlane, int disk) throws Exception {
        String expression = "templatefile(\"" + TEMPLATE
                + "\", {images = {repository = \"r.example.com/kvstore\", tag = \"1\"}"
                + ", region = \"eu-1\", cluster = \"eu-1-a\", domain = \"eu-1-a.kv.example.com\", control_plane = "
                + controlPlane
                + ", data_planes = {node_count = 3, per_node = 1, cpu = 28, memory_gib = 208, disk_gib = " + disk
                + ", storage_class = \"managed-csi-premium\"}, client_id = \"id\", label = {\"kvstore.dev/plane\" = \"data\"}"
                + ", taint = {key = \"kvstore.dev/plane\", value = \"data\", effect = \"NoSchedule\"}})";
        return TerraformConsole.text(folder, expression);
    }

    private static JsonNode object(String objects, String kind) throws Exception {
        var yaml = new ObjectMapper(new YAMLFactory());
        for (String text : objects.split("\n---\n", -1)) {
            JsonNode object = yaml.readTree(text);
            if (object != null && object.path("kind").asText().equals(kind)) {
                return object;
            }
        }
        throw new AssertionError("no " + kind + " in " + objects);
    }
}
