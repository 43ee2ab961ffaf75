package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every module and every example, as {@code kv terraform check} checks them, and that program's own checks. */
class TerraformCheckIT {
    private static final Path SOURCE = Home.current().path().resolve("terraform/check");
    private static final long CHECK_SECONDS = 900;

    @TempDir
    Path folder;

    @Test
    void modulesAndExamplesAreGoodAndTheProgramThatSaysSoPassesItsTests() throws Exception {
        GoTool.requireGo();
        TerraformProgram.TERRAFORM.require();

        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("terraform", "check"), CHECK_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).endsWith("All good.\n").contains("modules/region", "examples/one-region");

        assertThat(GoTool.run(SOURCE, Map.of(), List.of("gofmt", "-l", "."))).isEmpty();
        assertThat(GoTool.run(SOURCE, Map.of(), List.of("go", "vet", "."))).isEmpty();
        assertThat(GoTool.run(SOURCE, Map.of(), List.of("go", "test", "."))).startsWith("ok");
    }
}
