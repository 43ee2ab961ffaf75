package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Terraform's own evaluation of an expression, such as a template of a module. */
final class TerraformConsole {
    private static final long SECONDS = 60;

    private TerraformConsole() {}

    /** A test is skipped where there is no Terraform. */
    static void require() {
        assumeTrue(GoTool.isOnPath("terraform"), "missing: terraform, of https://developer.hashicorp.com/terraform");
    }

    /**
     * The value of an expression that is a text of several lines.
     *
     * @param folder for files
     */
    static String text(Path folder, String expression) throws IOException, InterruptedException {
        Path asked = Files.writeString(Files.createTempFile(folder, "asked", ".txt"), expression + "\n");
        Path said = Files.createTempFile(folder, "said", ".txt");
        ProcessBuilder builder = new ProcessBuilder("terraform", "console")
                .directory(Files.createTempDirectory(folder, "empty").toFile())
                .redirectInput(asked.toFile())
                .redirectOutput(said.toFile());
        builder.environment().put("CHECKPOINT_DISABLE", "1");
        Process console = builder.start();
        assertThat(console.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(said);
        assertThat(lines).as("a text of several lines, between marks").hasSizeGreaterThan(2);
        return String.join("\n", lines.subList(1, lines.size() - 1)) + "\n";
    }
}
