package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackReportTest {
    private static final StackReport REPORT = new StackReport(
            "http://127.0.0.1:8080",
            "127.0.0.1:9090",
            "kva_token",
            List.of("127.0.0.1:8085", "127.0.0.1:8086"),
            "demo",
            "kv_key",
            List.of("http://127.0.0.1:9085/q/metrics"),
            "filesystem",
            "/data/storage",
            "/data",
            List.of(new StackReport.StackRegion("local", List.of("127.0.0.1:8085", "127.0.0.1:8086"))),
            List.of(17L));

    @Test
    void programsFindControlPlaneDataPlanesAndBothSecretsByName() throws Exception {
        JsonNode json = new ObjectMapper().readTree(REPORT.json());

        assertThat(json.path("restUrl").asText()).isEqualTo("http://127.0.0.1:8080");
        assertThat(json.path("controlPlane").asText()).isEqualTo("127.0.0.1:9090");
        assertThat(json.path("adminToken").asText()).isEqualTo("kva_token");
        assertThat(json.path("apiKey").asText()).isEqualTo("kv_key");
        assertThat(json.at("/dataPlanes/1").asText()).isEqualTo("127.0.0.1:8086");
    }

    @Test
    void peopleCanCopyWhatTheyNeedNext() {
        assertThat(REPORT.text())
                .contains(
                        "export KVSTORE_ADMIN_TOKEN=kva_token KVSTORE_URL=http://127.0.0.1:8080\n",
                        "controlPlane(\"127.0.0.1:9090\").region(\"local\")",
                        ".resource(\"demo\").apiKey(\"kv_key\")",
                        "export KV_CONTROL_PLANE=127.0.0.1:9090 KV_REGION=local KV_RESOURCE=demo KV_API_KEY=kv_key\n",
                        "  data planes   127.0.0.1:8085  127.0.0.1:8086\n",
                        "control plane 127.0.0.1:9090\n");
    }
}
