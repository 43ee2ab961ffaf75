package dev.kvstore.benchmark.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program behind orders and answers; a shell stands for Python. */
class PythonProcessTest {
    @TempDir
    Path folder;

    @Test
    void anAnswerFollowsAnOrder() throws Exception {
        try (PythonProcess process = start("while read -r order; do echo \"{\\\"heard\\\": $order}\"; done")) {
            assertThat(process.ask(Map.of("do", "it")).at("/heard/do").asText()).isEqualTo("it");
            assertThat(process.ask(Map.of("do", "more")).at("/heard/do").asText())
                    .isEqualTo("more");
        }
    }

    @Test
    void aFailureIsToldUnderTheNameOfTheProcess() throws Exception {
        try (PythonProcess process = start("read -r order; echo '{\"failure\": \"open: no such file\"}'; cat")) {
            assertThatThrownBy(() -> process.ask(Map.of("do", "open")))
                    .isInstanceOf(LaunchException.class)
                    .hasMessage("the program: open: no such file");
        }
    }

    @Test
    void aProcessThatEndsIsToldWithItsExitCodeAndItsLog() throws Exception {
        try (PythonProcess process = start("read -r order; echo 'No module named kvstore' >&2; exit 7")) {
            assertThatThrownBy(() -> process.ask(Map.of("do", "open")))
                    .isInstanceOf(LaunchException.class)
                    .hasMessage("the program ended with exit code 7; its log is " + log());
            assertThat(log()).content().isEqualTo("No module named kvstore\n");
        }
    }

    private Path log() {
        return folder.resolve("logs/program.log");
    }

    private PythonProcess start(String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("venv/bin"));
        Path python = Files.writeString(bin.resolve("python"), "#!/bin/sh\n" + script + "\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        PythonEnvironment environment = new PythonEnvironment(folder, folder.resolve("venv"));
        return PythonProcess.start("the program", environment, "demo", Map.of(), log());
    }
}
