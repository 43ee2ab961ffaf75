package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {
    private static final int USAGE = 2;

    private final StringWriter said = new StringWriter();

    @Test
    void aFolderThatIsNoModuleIsAnsweredWithThoseThatAre() {
        assertThat(run("terraform/modules/regoin")).isEqualTo(USAGE);
        assertThat(said.toString()).contains("regoin is none of the modules and examples", "modules/region");
    }

    @Test
    void anAzurermThatIsNotThereIsRefusedByItsName() {
        assertThat(run("--azurerm", "no/such/provider")).isEqualTo(USAGE);
        assertThat(said.toString())
                .contains("there is no file no/such/provider", "--azurerm names a provider's binary");
    }

    @Test
    void anAzurermThatCannotBeRunIsRefusedByItsName(@TempDir Path folder) throws IOException {
        Path archive = Files.createFile(folder.resolve("azurerm.zip"));

        assertThat(run("--azurerm", archive.toString())).isEqualTo(USAGE);
        assertThat(said.toString()).contains("azurerm.zip cannot be run");
    }

    @Test
    void modulesComeBeforeExamples() throws IOException {
        assertThat(Folders.all(Home.current().path().resolve("terraform")))
                .contains("modules/region", "modules/cluster-vmss", "examples/one-region")
                .isSortedAccordingTo((one, other) -> other.substring(0, 1).compareTo(one.substring(0, 1)));
    }

    @Test
    void aCopyHasNamesOfAllResourcesAndGoesWhenItIsClosed() throws IOException {
        Path target = Home.current().target().resolve("terraform");
        Path root;
        try (WorkCopy copy = WorkCopy.of(Home.current().path(), target)) {
            root = copy.root();
            assertThat(copy.types()).contains("azurerm_orchestrated_virtual_machine_scale_set", "azurerm_subnet");
            assertThat(root.resolve("deploy/machine/kv-node.service")).exists();
        }
        assertThat(root).doesNotExist();
    }

    private int run(String... arguments) {
        CommandLine line = CommandLines.of(new CheckCommand());
        line.setErr(new PrintWriter(said));
        line.setOut(new PrintWriter(said));
        return line.execute(arguments);
    }
}
