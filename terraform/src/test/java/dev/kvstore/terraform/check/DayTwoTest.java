package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes of day 2: a region with a control plane and a cluster is applied once, and each test plans one change of it.
 * docs/operations/terraform.md lists the resources that azurerm replaces instead of changing them.
 */
@Tag("slow")
class DayTwoTest {
    private static final String MACHINES = "module.cluster.azurerm_orchestrated_virtual_machine_scale_set.this";

    private static Workshop workshop;
    private static Root root;

    @BeforeAll
    static void applyOnce() throws IOException, InterruptedException {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");
        workshop = Workshop.openPretending();
        root = Root.of(workshop, "day-two", Root.dayTwo());
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
    void aFurtherZoneChangesTheMachinesAndTheirBalancer() throws Exception {
        assertThat(root.planned("zones=[\"1\",\"2\",\"3\"]"))
                .containsEntry(MACHINES, "update")
                .allSatisfy((address, action) -> assertThat(action).as(address).isEqualTo("update"));
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
