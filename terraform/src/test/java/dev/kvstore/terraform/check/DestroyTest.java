package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order in which what {@link DayTwoTest} applies is destroyed. */
@Tag("slow")
class DestroyTest {
    private static final Pattern DESTROYED = Pattern.compile("(\\S+): (Destruction complete|Destroying\\.\\.\\.)");

    @Test
    void theDatabaseIsDestroyedByNoPlan() throws Exception {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");
        try (Workshop workshop = Workshop.openPretending()) {
            Root root = Root.of(workshop, "kept", Root.dayTwo());
            root.apply();

            assertThat(root.refusedDestroy())
                    .contains("azurerm_postgresql_flexible_server.this has lifecycle.prevent_destroy set");

            workshop.copy().removeProtection();
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
