package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The order in which what {@link DayTwoIT} applies is destroyed. */
class DestroyIT {
    private static final Pattern DESTROYED = Pattern.compile("(\\S+): (Destruction complete|Destroying\\.\\.\\.)");

    @Test
    void theDatabaseIsDestroyedByNoPlan() throws Exception {
        try (Workshop workshop = Workshop.open()) {
            AppliedRoot root = AppliedRoot.of(workshop, "kept", AppliedRoot.dayTwo());
            root.apply();

            assertThat(root.refusedDestroy())
                    .contains("azurerm_postgresql_flexible_server.this has lifecycle.prevent_destroy set");

            Path database = workshop.root().resolve("terraform/modules/control-plane/main.database.tf");
            Files.writeString(
                    database, Files.readString(database).replace("prevent_destroy = true", "prevent_destroy = false"));
            String said = root.terraform("destroy", "-auto-approve", "-input=false", "-no-color");
            assertThat(steps(said)
                            .indexOf("module.control_plane.azurerm_management_lock.this[0]: Destruction complete"))
                    .as("a lock refuses the deletion of what is in the server")
                    .isBetween(0, first(steps(said), "module.control_plane.azurerm_postgresql_") - 1);
        }
    }

    private static List<String> steps(String said) {
        return DESTROYED.matcher(said).results().map(MatchResult::group).toList();
    }

    private static int first(List<String> steps, String beginning) {
        return steps.indexOf(steps.stream()
                .filter(step -> step.startsWith(beginning))
                .findFirst()
                .orElseThrow());
    }
}
