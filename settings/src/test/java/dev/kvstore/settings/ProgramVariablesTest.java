package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramVariablesTest {
    @Test
    void whatKubernetesSaysOfServicesIsPassedOver() {
        Map<String, String> links = Map.of(
                "KVSTORE_CONTROL_PLANE_SERVICE_HOST", "10.0.0.17",
                "KVSTORE_CONTROL_PLANE_SERVICE_PORT", "8080",
                "KVSTORE_CONTROL_PLANE_SERVICE_PORT_HTTP", "8080",
                "KVSTORE_CONTROL_PLANE_PORT", "tcp://10.0.0.17:8080",
                "KVSTORE_CONTROL_PLANE_PORT_8080_TCP", "tcp://[fd00::17]:8080",
                "KVSTORE_CONTROL_PLANE_PORT_8080_TCP_PROTO", "tcp",
                "KVSTORE_CONTROL_PLANE_PORT_8080_TCP_PORT", "8080",
                "KVSTORE_CONTROL_PLANE_PORT_8080_TCP_ADDR", "fd00::17",
                "KVSTORE_PORT", "tcp://10.0.0.18:443");

        assertThat(ProgramVariables.unknown(links)).isEmpty();
    }

    @Test
    void aNameLikeThatWithAnotherValueIsASlip() {
        Map<String, String> slips = Map.of(
                "KVSTORE_PORT", "8085",
                "KVSTORE_CONTROL_PLANE_SERVICE_HOST", "somewhere",
                "KVSTORE_MEMORY_PORT_1_TCP", "1G");

        assertThat(ProgramVariables.unknown(slips))
                .containsExactlyElementsOf(slips.keySet().stream().sorted().toList());
    }

    @Test
    void oneFileOfVariablesServesEveryProgram() {
        Map<String, String> all = Map.of(
                "KVSTORE_MEMORY_TIER_SIZE", "1G",
                "KVSTORE_OIDC_ISSUER", "https://login.example.net",
                "KVSTORE_URL", "https://kv.example.net",
                "KVSTORE_DRAM", "1G",
                "kvstore_disk_tier_size", "1G",
                "PATH", "/bin");

        assertThat(ProgramVariables.unknown(all)).isEmpty();
    }

    @Test
    void whatNoProgramKnowsIsNamed() {
        assertThat(ProgramVariables.unknown(Map.of("KVSTORE_OIDC_ISUER", "x", "KVSTORE_DRMA", "1G", "KV_HOME", "/")))
                .containsExactly("KVSTORE_DRMA", "KVSTORE_OIDC_ISUER");
    }
}
