package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The standby of terraform/examples/five-regions takes over, by the commands of docs/operations/recovery.md: Azure is
 * pretended, the control plane and its provider are real.
 */
class StandbyIT {
    private static final Path PAGE = Documents.ROOT.resolve("docs/operations/recovery.md");
    private static final String SERVER = "azurerm_postgresql_flexible_server";
    private static final String VARIABLES = """
            regions = {
              standby-1 = { location = "germanywestcentral", address_space = "10.64.0.0/16" }
              standby-2 = { location = "westeurope", address_space = "10.65.0.0/16" }
            }
            round_trip_micros = {}
            subscription_id   = "00000000-0000-0000-0000-000000000000"
            image_version     = "1.4.0"
            ssh_public_key    = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
            role_wait_seconds = 0

            replicating_regions = ["standby-1", "standby-2"]
            """;
    private static final String BEFORE = """
            control_plane_region = "standby-1"
            control_plane_name   = "kv-first"
            standby              = { region = "standby-2", name = "kv-second" }
            database             = { sku_name = "GP_Standard_D8ds_v5" }
            """;
    private static final String AFTER = """
            control_plane_region      = "standby-2"
            control_plane_name_region = "standby-1"
            control_plane_name        = "kv-second"
            database = {
              sku_name = "GP_Standard_D8ds_v5"
              replica  = { source_server_id = "SOURCE", promoted = true }
            }
            """;

    private AppliedExample example;

    @BeforeEach
    void prepare() throws Exception {
        example = AppliedExample.open("five-regions");
        example.write(VARIABLES + BEFORE);
    }

    @AfterEach
    void close() {
        if (example != null) {
            example.close();
        }
    }

    @Test
    void takesOverWithItsDatabaseAndItsKeyVaultUnderTheOldName() throws Exception {
        example.good("init");
        example.good("apply", "-auto-approve", "-var", "stage=2");
        JsonNode before = state();
        String source = server(before, "kv-first-pg").path("id").asText();
        JsonNode replica = server(before, "kv-second-pg");
        assertThat(replica.path("create_mode").asText()).isEqualTo("Replica");
        assertThat(replica.path("source_server_id").asText()).isEqualTo(source);
        assertThat(replica.path("sku_name").asText()).isEqualTo("GP_Standard_D8ds_v5");
        assertThat(new AzureState(before).machines()).hasSize(1);

        forget();
        example.write(VARIABLES + AFTER.replace("SOURCE", source));
        // Of the lost region nothing can be read, and nothing may be changed.
        assertThat(example.changes("-var", "stage=2", "-refresh=false", "-target=module.control_plane"))
                .isNotEmpty()
                .allSatisfy((address, _) -> assertThat(address).startsWith("module.control_plane."));
        example.good("apply", "plan");

        JsonNode after = state();
        JsonNode promoted = server(after, "kv-second-pg");
        assertThat(promoted.path("id")).isEqualTo(replica.path("id"));
        assertThat(promoted.path("replication_role").asText()).isEqualTo("None");
        assertThat(promoted.at("/high_availability/0/mode").asText()).isEqualTo("ZoneRedundant");
        AzureState azure = new AzureState(after);
        assertThat(azure.machines())
                .singleElement()
                .satisfies(machines -> assertThat(AzureState.cloudInit(machines))
                        .contains(
                                "jdbc:postgresql://kv-second-pg.postgres.database.azure.com/",
                                "--vault https://kv-second-kv.vault.azure.net"));
        assertThat(azure.of("azurerm_private_dns_a_record")).singleElement().satisfies(entry -> {
            assertThat(entry.path("name").asText()).isEqualTo("control");
            assertThat(entry.path("zone_name").asText()).isEqualTo("standby-1.kv.internal");
        });
        assertThat(MachineNames.unreached(azure)).isEmpty();
    }

    /** Terraform forgets what is lost, and the standby takes its place. */
    private void forget() throws Exception {
        List<List<String>> commands = Documents.commandLines(PAGE).stream()
                .flatMap(line -> ShellWords.commands(line.text()).stream())
                .dropWhile(words -> words.stream().noneMatch(word -> word.startsWith("module.standby")))
                .takeWhile(words -> words.getFirst().equals("terraform"))
                .toList();
        assertThat(commands).hasSize(3);
        for (List<String> command : commands) {
            example.good(command.stream().skip(1).toArray(String[]::new));
        }
    }

    private JsonNode state() throws Exception {
        return new ObjectMapper().readTree(example.good("show", "-json"));
    }

    private static JsonNode server(JsonNode state, String name) {
        return new AzureState(state)
                .of(SERVER)
                .filter(one -> one.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
