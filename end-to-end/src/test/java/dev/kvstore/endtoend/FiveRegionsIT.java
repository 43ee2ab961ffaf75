package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** terraform/examples/five-regions, as its page says: Azure is pretended, the control plane and its provider are real. */
class FiveRegionsIT {
    private static final List<String> NAMES = List.of("five-1", "five-2", "five-3", "five-4", "five-5");
    private static final int NOTHING_TO_DO = 0;

    private AppliedExample example;

    @BeforeEach
    void prepare() throws Exception {
        example = AppliedExample.open("five-regions");
        write(NAMES);
    }

    @AfterEach
    void close() {
        if (example != null) {
            example.close();
        }
    }

    @Test
    void fiveRegionsComeUpASixthIsALineMoreAndAllGoAgain() throws Exception {
        example.good("init");
        example.good("apply", "-auto-approve", "-var", "stage=1", "-var", "control_plane_url=http://127.0.0.1:1");
        example.good("apply", "-auto-approve");

        for (String name : NAMES) {
            assertThat(example.admin("get", "cluster", name + "-a")).contains("*." + name + ".kv.internal:8085-8086");
        }
        assertThat(example.terraform("plan", "-detailed-exitcode").exitCode())
                .as("a second plan has nothing to do")
                .isEqualTo(NOTHING_TO_DO);
        assertThat(Files.readString(example.folder().resolve("terraform.tfstate")))
                .doesNotContain("kvj_");

        AzureState azure = new AzureState(new ObjectMapper().readTree(example.good("show", "-json")));
        assertThat(MachineNames.unreached(azure))
                .as("names that lead machines nowhere")
                .isEmpty();
        assertThat(MonitorWay.missing(azure))
                .as("what keeps machines from Azure Monitor")
                .isEmpty();

        List<String> six = new ArrayList<>(NAMES);
        six.add("five-6");
        write(six);
        assertThat(example.changes())
                .isNotEmpty()
                .allSatisfy(
                        (address, actions) -> assertThat(actions).as(address).isEqualTo("[\"create\"]"));
        example.good("apply", "-auto-approve");
        assertThat(example.admin("get", "cluster", "five-6-a")).contains("*.five-6.kv.internal:8085-8086");

        example.good("state", "rm", "module.control_plane.azurerm_postgresql_flexible_server.this");
        example.good("destroy", "-auto-approve");
        assertThat(example.good("state", "list")).isBlank();
        assertThat(example.up().admin("get", "region", "five-1").exitCode()).isNotZero();
    }

    private void write(List<String> names) throws Exception {
        StringBuilder regions = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            regions.append("  %s = { location = \"germanywestcentral\", address_space = \"10.%d.0.0/16\" }%n"
                    .formatted(names.get(i), 64 + i));
        }
        example.write("""
                regions = {
                %s}
                control_plane_region = "five-1"
                control_plane_name   = "kv-five"
                round_trip_micros    = { "five-1/five-2" = 24000 }
                subscription_id      = "00000000-0000-0000-0000-000000000000"
                image_version        = "1.4.0"
                ssh_public_key       = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
                role_wait_seconds    = 0
                """.formatted(regions));
    }
}
