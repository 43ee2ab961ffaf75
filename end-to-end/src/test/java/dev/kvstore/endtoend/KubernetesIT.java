package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests that the build made. */
class KubernetesIT {
    private static final String CONTAINER = "/spec/template/spec/containers/0";

    /** By kind. */
    private static Map<String, JsonNode> manifests(String module) throws IOException {
        Path file = Home.current().path().resolve(module).resolve("target/kubernetes/kubernetes.yml");
        Map<String, JsonNode> manifests = new HashMap<>();
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(file.toFile())) {
            documents.forEachRemaining(
                    document -> manifests.put(document.path("kind").asText(), document));
        }
        return manifests;
    }

    private static JsonNode manifest(String module, String kind) throws IOException {
        return Objects.requireNonNull(manifests(module).get(kind), module + " has no " + kind);
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void eachApplicationHasWhatItNeedsAndNothingThatACommonClusterDoesNotKnow() throws IOException {
        assertThat(manifests("control-plane").keySet())
                .containsExactlyInAnyOrder("Deployment", "Service", "PodDisruptionBudget");
        assertThat(manifests("data-plane").keySet())
                .containsExactlyInAnyOrder("StatefulSet", "Service", "PodDisruptionBudget");
    }

    @ParameterizedTest
    @CsvSource({"control-plane,Deployment,8080", "data-plane,StatefulSet,9085"})
    void probesAskTheHttpPortOverTls(String module, String kind, int port) throws IOException {
        JsonNode container = manifest(module, kind).at(CONTAINER);

        Map.of("livenessProbe", "live", "readinessProbe", "ready", "startupProbe", "started")
                .forEach((probe, path) -> {
                    JsonNode get = container.path(probe).path("httpGet");
                    assertThat(get.path("path").asText()).isEqualTo("/q/health/" + path);
                    assertThat(get.path("port").asInt()).isEqualTo(port);
                    assertThat(get.path("scheme").asText()).isEqualTo("HTTPS");
                });
    }

    @ParameterizedTest
    @CsvSource({"control-plane,Deployment", "data-plane,StatefulSet"})
    void neitherRunsAsRootAndBothServeOverTls(String module, String kind) throws IOException {
        JsonNode pod = manifest(module, kind).at("/spec/template/spec");

        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(texts(pod.at("/containers/0/args")))
                .contains("--tls-cert=/etc/kvstore/tls/tls.crt", "--tls-key=/etc/kvstore/tls/tls.key");
        assertThat(pod.at("/containers/0/volumeMounts/0/mountPath").asText()).isEqualTo("/etc/kvstore/tls");
    }

    @ParameterizedTest
    @CsvSource({"control-plane,Deployment", "data-plane,StatefulSet"})
    void aDrainOfANodeTakesOneAtATime(String module, String kind) throws IOException {
        JsonNode budget = manifest(module, "PodDisruptionBudget");
        String name =
                budget.at("/spec/selector/matchLabels/app.kubernetes.io~1name").asText();

        assertThat(budget.at("/spec/maxUnavailable").asInt()).isEqualTo(1);
        assertThat(manifest(module, kind)
                        .at("/spec/template/metadata/labels/app.kubernetes.io~1name")
                        .asText())
                .isEqualTo(name);
    }

    @Test
    void aDataPlaneGetsWholeCpusSoThatItsCoresAreOfOneNumaNode() throws IOException {
        JsonNode resources = manifest("data-plane", "StatefulSet").at(CONTAINER + "/resources");

        assertThat(resources.path("requests")).isEqualTo(resources.path("limits"));
        assertThat(resources.at("/limits/cpu").asText()).matches("[1-9][0-9]*");
        assertThat(resources.at("/limits/memory").asText()).isNotEmpty();
    }

    @Test
    void aDataPlaneIsDrainedBeforeItIsStoppedAndHasTheTimeThatTakes() throws IOException {
        JsonNode pod = manifest("data-plane", "StatefulSet").at("/spec/template/spec");

        assertThat(texts(pod.at("/containers/0/lifecycle/preStop/exec/command")))
                .containsExactly("curl", "-fsSk", "-X", "PUT", "https://127.0.0.1:9085/drain");
        // drain-grace-period and drain-timeout are 20 s together.
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isGreaterThanOrEqualTo(30);
    }

    @Test
    void aDataPlaneJoinsUnderItsPodsNameAtItsOwnAddress() throws IOException {
        JsonNode set = manifest("data-plane", "StatefulSet");

        assertThat(set.at("/spec/serviceName").asText()).isEqualTo("kvstore-data-plane");
        assertThat(texts(set.at(CONTAINER + "/args")))
                .contains(
                        "--node-name=$(POD_NAME)",
                        "--advertise=$(POD_NAME).kvstore-data-plane:8085",
                        "--control-plane=$(CONTROL_PLANE)",
                        "--cluster=$(CLUSTER)",
                        "--region=$(REGION)");
        assertThat(set.at(CONTAINER + "/env").findValuesAsText("fieldPath")).containsExactly("metadata.name");
    }

    @Test
    void dataPlanesAreFoundOneByOneAndTheControlPlaneAsOne() throws IOException {
        assertThat(manifest("data-plane", "Service").at("/spec/clusterIP").asText())
                .isEqualTo("None");
        JsonNode service = manifest("control-plane", "Service");
        assertThat(service.at("/spec/type").asText()).isEqualTo("ClusterIP");
        assertThat(service.at("/spec/ports").findValuesAsText("port")).containsExactlyInAnyOrder("8080", "9090");
        assertThat(manifest("control-plane", "Deployment").at("/spec/replicas").asInt())
                .isEqualTo(2);
    }

    @Test
    void whatADataPlaneKnewSurvivesItsPod() throws IOException {
        JsonNode set = manifest("data-plane", "StatefulSet");

        assertThat(set.at("/spec/volumeClaimTemplates/0/metadata/name").asText())
                .isEqualTo("state");
        assertThat(set.at(CONTAINER + "/volumeMounts").findValuesAsText("mountPath"))
                .contains("/var/lib/kvstore");
        assertThat(set.at(CONTAINER + "/env").findValuesAsText("value"))
                .contains("/var/lib/kvstore/state", "/var/lib/kvstore/disk");
    }
}
