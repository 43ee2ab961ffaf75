package dev.kvstore.launcher.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderTest {
    private static final Platform HERE = Platform.of(System.getProperty("os.name"), System.getProperty("os.arch"));

    @TempDir
    Path folder;

    @BeforeEach
    void makeASource() throws IOException {
        boolean isOnPath =
                Stream.of(System.getenv("PATH").split(":")).anyMatch(place -> Files.isExecutable(Path.of(place, "go")));
        assumeTrue(isOnPath, "missing: go, of https://go.dev, which builds the Terraform provider");
        Files.writeString(folder.resolve("go.mod"), "module example.com/provider\n\ngo 1.21\n");
        Files.writeString(folder.resolve("main.go"), """
                package main

                var version = "dev"

                func main() { print(version) }
                """);
    }

    @Test
    void theProgramKnowsItsVersion() throws Exception {
        Path program = new Provider(folder, "1.2.3").build(HERE, Files.createDirectory(folder.resolve("built")));

        assertThat(program).hasFileName("terraform-provider-kvstore_v1.2.3");
        Process process =
                new ProcessBuilder(program.toString()).redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEqualTo("1.2.3");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aSourceThatDoesNotCompileIsRefusedWithGosOwnWords() throws Exception {
        Files.writeString(folder.resolve("main.go"), "package main\n\nfunc main() { undefined() }\n");
        Path built = Files.createDirectory(folder.resolve("built"));

        assertThatThrownBy(() -> new Provider(folder, "1.2.3").build(HERE, built))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("undefined: undefined");
        assertThat(built).isEmptyDirectory();
    }
}
