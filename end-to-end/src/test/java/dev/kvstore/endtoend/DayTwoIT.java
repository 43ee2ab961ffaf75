package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Changes of day 2: a region with a control plane and a cluster is applied once, and each test plans one change of it.
 * docs/operations/terraform.md lists the resources that azurerm replaces instead of changing them.
 */
class DayTwoIT {
    private static final String MACHINES = "module.cluster.azurerm_orchestrated_virtual_machine_scale_set.this";

    private static final String CONTROL_PLANES =
            "module.control_plane.azurerm_orchestrated_virtual_machine_scale_set.this[0]";

    private static Workshop workshop;
    private static AppliedRoot root;

    @BeforeAll
    static void applyOnce() throws IOException, InterruptedException {
        workshop = Workshop.open();
        root = AppliedRoot.of(workshop, "day-two", AppliedRoot.dayTwo());
        root.apply();
    }

    @AfterAll
    static void close() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @Test
    void aSecondPlanIsEmpty() throws Exception {
        assertThat(root.planned()).isEmpty();
    }

    @Test
    void scalingOutAndInChangesTheScaleSetAlone() throws Exception {
        assertThat(root.planned("instances=6")).isEqualTo(Map.of(MACHINES, "update"));
        assertThat(root.planned("instances=2")).isEqualTo(Map.of(MACHINES, "update"));
    }

    @Test
    void aNewImageChangesTheScaleSetAlone() throws Exception {
        assertThat(root.planned("image=2.0.0")).isEqualTo(Map.of(MACHINES, "update"));
    }

    @Test
    void aFurtherZoneChangesTheMachinesAlone() throws Exception {
        assertThat(root.planned("zones=[\"1\",\"2\",\"3\"]")).isEqualTo(Map.of(MACHINES, "update"));
    }

    @Test
    void aPlanThatWouldReplaceTheDatabaseIsRefused() throws Exception {
        for (String change :
                List.of("administrator_login=another", "geo_redundant_backup=false", "database_version=16")) {
            assertThat(root.refused(change))
                    .as(change)
                    .contains("azurerm_postgresql_flexible_server.this has", "lifecycle.prevent_destroy set");
        }
    }

    @Test
    void moreStorageThanTheDatabaseHasIsRefusedWithTheWayToIt() throws Exception {
        assertThat(root.refused("storage_mb=262144"))
                .contains("az postgres flexible-server update --ids", "--storage-size 256");
    }

    @Test
    void aSettingAndAnAuthorityChangeTheScaleSetAlone() throws Exception {
        assertThat(root.planned("max_lookups=2000")).isEqualTo(Map.of(MACHINES, "update"));
        assertThat(root.planned("authorities=-----BEGIN CERTIFICATE-----")).isEqualTo(Map.of(MACHINES, "update"));
    }

    @Test
    void metricsReachMachinesThatRunAndTheirRightIsMade() throws Exception {
        assertThat(root.planned("metrics=true"))
                .isEqualTo(Map.of(
                        MACHINES,
                        "update",
                        CONTROL_PLANES,
                        "update",
                        "module.monitoring.azurerm_role_assignment.publisher[\"control-plane\"]",
                        "create",
                        "module.monitoring.azurerm_role_assignment.publisher[\"eu-1-a\"]",
                        "create"));
    }

    @Test
    void logsBringAnAgentAndItsRule() throws Exception {
        assertThat(root.planned("logs=true"))
                .isEqualTo(Map.of(
                        MACHINES,
                        "update",
                        CONTROL_PLANES,
                        "update",
                        "module.monitoring.azurerm_monitor_data_collection_rule.machines[0]",
                        "create",
                        "module.cluster.azurerm_monitor_data_collection_rule_association.logs[0]",
                        "create",
                        "module.control_plane.azurerm_monitor_data_collection_rule_association.logs[0]",
                        "create"));
    }

    @Test
    void newSecretsChangeTheDatabaseAndTheVaultAlone() throws Exception {
        assertThat(root.planned("secrets_version=2"))
                .isEqualTo(Map.of(
                        "module.control_plane.azurerm_postgresql_flexible_server.this", "update",
                        "module.control_plane.azurerm_key_vault_secret.environment", "update"));
    }

    @Test
    void anotherPasswordWithoutAnotherVersionChangesNothing() throws Exception {
        assertThat(root.planned("database_password=another-one-that-nobody-asked-for"))
                .isEmpty();
    }

    @Test
    void aFurtherRegionIsMadeBesideTheFirst() throws Exception {
        assertThat(root.planned("second_region=true")).isNotEmpty().allSatisfy((address, action) -> {
            assertThat(address).startsWith("module.second");
            assertThat(action).isEqualTo("create");
        });
    }

    @Test
    void aRegionThatLeavesTakesNothingElseAlong() throws Exception {
        Path kept = Files.copy(root.state(), root.folder().resolve("kept"));
        try {
            root.apply("second_region=true");

            assertThat(root.planned()).isNotEmpty().allSatisfy((address, action) -> {
                assertThat(address).startsWith("module.second");
                assertThat(action).isEqualTo("delete");
            });
        } finally {
            Files.move(kept, root.state(), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void noSecretIsInTheState() throws Exception {
        assertThat(Files.readString(root.state()))
                .contains("azurerm_key_vault_secret")
                .doesNotContain("a-password-of-the-database");
    }
}
