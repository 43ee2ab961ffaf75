package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart at a real API server that enforces Pod Security "restricted". */
@Tag("full")
class ChartInstallIT {
    @TempDir
    static Path folder;

    private static @Nullable KubernetesApi started;

    private static Chart chart = new Chart(Path.of(""), Path.of(""));

    @BeforeAll
    static void start() throws Exception {
        chart = new Chart(GoTool.HELM.path(), folder);
        started = KubernetesApi.start(folder);
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    @Test
    void isInstalledUpgradedAndRolledBackAndKeepsItsSecrets() throws Exception {
        api().namespace("dev");
        assertThat(helm("install", "dev", Chart.DEV))
                .contains("STATUS: deployed")
                .doesNotContain("exit code");
        JsonNode made = data("kv-kvstore-generated");
        JsonNode certificate = data("kv-kvstore-data-plane-tls");

        assertThat(helm("upgrade", "dev", Chart.DEV, "--set", "dataPlane.replicas=3"))
                .contains("REVISION: 2")
                .doesNotContain("exit code");

        assertThat(replicas()).isEqualTo(3);
        assertThat(data("kv-kvstore-generated")).isEqualTo(made);
        assertThat(data("kv-kvstore-data-plane-tls")).isEqualTo(certificate);

        assertThat(chart.run(
                        "rollback",
                        "kv",
                        "1",
                        "-n",
                        "dev",
                        "--kubeconfig",
                        api().kubeconfig().toString()))
                .contains("Rollback was a success");
        assertThat(replicas()).isEqualTo(2);
        assertThat(data("kv-kvstore-generated")).isEqualTo(made);
    }

    @Test
    void replacesTheChartOfTheCommitBeforeAndGoesBackToIt() throws Exception {
        Path before = chart.before();
        api().namespace("before");
        assertThat(helm(before, "install", "before", before.resolve("values-dev.yaml")))
                .contains("STATUS: deployed")
                .doesNotContain("exit code");

        assertThat(helm("upgrade", "before", Chart.DEV))
                .contains("REVISION: 2", "STATUS: deployed")
                .doesNotContain("exit code");

        assertThat(chart.run(
                        "rollback",
                        "kv",
                        "1",
                        "-n",
                        "before",
                        "--kubeconfig",
                        api().kubeconfig().toString()))
                .contains("Rollback was a success");
    }

    @Test
    void everyPodIsAllowedWhereTheStrictestRuleHolds() throws Exception {
        api().namespace("strict");
        for (Path values : List.of(Chart.DEV, chart.production())) {
            String rendered = chart.render(values);
            List<JsonNode> workloads = new ArrayList<>(List.of(
                    Chart.object(rendered, "Deployment", "-control-plane"),
                    Chart.object(rendered, "StatefulSet", "-data-plane")));
            if (values.equals(Chart.DEV)) {
                workloads.add(Chart.object(rendered, "StatefulSet", "-postgresql"));
                workloads.add(Chart.object(rendered, "Job", ""));
            }
            for (JsonNode workload : workloads) {
                ObjectNode pod = pod(workload);
                assertThat(create(pod)).as(workload.path("kind").asText()).contains("\"kind\":\"Pod\"");

                ((ObjectNode) pod.at("/spec/securityContext")).remove("seccompProfile");
                assertThat(create(pod)).contains("violates PodSecurity", "seccompProfile");
            }
        }
    }

    private static ObjectNode pod(JsonNode workload) {
        ObjectNode pod =
                new ObjectMapper().createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.set("metadata", new ObjectMapper().createObjectNode().put("name", "tried"));
        pod.set("spec", workload.at("/spec/template/spec"));
        // Volumes that a StatefulSet would add.
        for (JsonNode claim : workload.at("/spec/volumeClaimTemplates")) {
            ObjectNode volume = pod.withArray("/spec/volumes").addObject();
            volume.put("name", claim.at("/metadata/name").asText()).putObject("emptyDir");
        }
        return pod;
    }

    private static String create(JsonNode pod) throws Exception {
        return api().call("POST", "/api/v1/namespaces/strict/pods?dryRun=All&fieldValidation=Strict", pod.toString())
                .replaceAll("\\s*\\n\\s*", "")
                .replace("\": ", "\":");
    }

    private static String helm(String verb, String namespace, Path values, String... more) throws Exception {
        return helm(Chart.PLACE, verb, namespace, values, more);
    }

    private static String helm(Path place, String verb, String namespace, Path values, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(verb, "kv", place.toString(), "-f", values.toString()));
        arguments.addAll(
                List.of("-n", namespace, "--kubeconfig", api().kubeconfig().toString()));
        arguments.addAll(List.of(more));
        return chart.run(arguments.toArray(String[]::new));
    }

    private static JsonNode data(String secret) throws Exception {
        JsonNode data = api().read("/api/v1/namespaces/dev/secrets/" + secret).path("data");
        assertThat(data.isEmpty()).as(secret).isFalse();
        return data;
    }

    private static int replicas() throws Exception {
        return api().read("/apis/apps/v1/namespaces/dev/statefulsets/kv-kvstore-data-plane")
                .at("/spec/replicas")
                .asInt();
    }

    private static KubernetesApi api() {
        assertThat(started).isNotNull();
        return java.util.Objects.requireNonNull(started);
    }
}
