package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Terraform provider's own checks, as terraform/provider/GNUmakefile has them. */
class TerraformProviderIT {
    private static final Path SOURCE = Home.current().path().resolve("terraform/provider");
    private static final int MODULES_MINUTES = 15;
    private static final int ACCEPTANCE_MINUTES = 60;

    @TempDir
    Path folder;

    @BeforeEach
    void requireGo() {
        assumeTrue(GoTool.isOnPath("go"), "missing: go, of https://go.dev, which builds the Terraform provider");
    }

    @Test
    void isFormattedVettedAndPassesItsUnitTests() throws Exception {
        assertThat(said(Map.of(), MODULES_MINUTES, "gofmt", "-l", ".")).isBlank();
        assertThat(said(Map.of(), MODULES_MINUTES, "go", "vet", "./...")).isBlank();
        assertThat(said(Map.of("TF_ACC", ""), MODULES_MINUTES, "go", "test", "./..."))
                .contains("ok  \tkvstore.dev/terraform-provider-kvstore/internal/client");
    }

    @Test
    @Tag("full")
    void staticcheckHasNothingToSay() throws Exception {
        assertThat(said(Map.of(), MODULES_MINUTES, "go", "tool", "-modfile=tools/go.mod", "staticcheck", "./..."))
                .isBlank();
    }

    @Test
    void itsReferenceIsWhatSchemasAndExamplesSay() throws Exception {
        TerraformProgram.TERRAFORM.require();
        said(Map.of("CHECKPOINT_DISABLE", "1"), MODULES_MINUTES, "sh", "tools/docs.sh", "--check");
    }

    /** With Terraform also what takes minutes, and what measures time. */
    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void managesARealControlPlane(TerraformProgram by) throws Exception {
        by.require();
        Map<String, String> environment = Map.of(
                "TF_ACC",
                "1",
                "TF_ACC_FULL",
                by == TerraformProgram.TERRAFORM ? "1" : "",
                "CHECKPOINT_DISABLE",
                "1",
                "TF_ACC_TERRAFORM_PATH",
                GoTool.onPath(by.command()).toString());
        String timeout = ACCEPTANCE_MINUTES + "m";
        assertThat(said(
                        environment,
                        ACCEPTANCE_MINUTES,
                        "go",
                        "test",
                        "-count=1",
                        "-timeout",
                        timeout,
                        "-parallel",
                        "4",
                        "./..."))
                .contains("ok  \tkvstore.dev/terraform-provider-kvstore/internal/provider");
    }

    /** The output of a command that succeeds, without the modules that Go downloads where it has none yet. */
    private String said(Map<String, String> environment, int minutes, String... command)
            throws IOException, InterruptedException {
        Path said = folder.resolve("said.txt");
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(SOURCE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
        process.destroyForcibly();
        String text = Files.readString(said);
        assertThat(ended)
                .as("%s ends within %d min: %s", command[0], minutes, text)
                .isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text.lines().filter(line -> !line.startsWith("go: downloading ")).collect(Collectors.joining("\n"));
    }
}
