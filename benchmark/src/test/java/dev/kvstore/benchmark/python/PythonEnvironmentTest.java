package dev.kvstore.benchmark.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Python cannot be had, one sentence says so, with the way out. */
class PythonEnvironmentTest {
    @TempDir
    Path checkout;

    private Path programs;

    @BeforeEach
    void makeACheckout() throws IOException {
        Path bench = Files.createDirectories(checkout.resolve("client-python/kvstore-client/bench"));
        Files.writeString(bench.resolve("requirements.txt"), "hpack\n");
        programs = Files.createDirectories(checkout.resolve("programs"));
    }

    @Test
    void aPathWithoutPythonIsTold() {
        assertThatThrownBy(() -> PythonEnvironment.of(new Home(checkout), programs.toString()))
                .isInstanceOf(LaunchException.class)
                .hasMessage("the Python client needs Python 3.10 or newer, and there is no python3 on the PATH: install"
                        + " the package \"python3\"");
    }

    @Test
    void anOldPythonIsTold() throws IOException {
        Path python = python("exit 1");

        assertThatThrownBy(() -> PythonEnvironment.of(new Home(checkout), programs.toString()))
                .isInstanceOf(LaunchException.class)
                .hasMessage("the Python client needs Python 3.10 or newer, and " + python
                        + " is older: put a newer python3 before it on the PATH");
    }

    @Test
    void aPythonWithoutVenvIsToldWithItsOwnWords() throws IOException {
        python("if [ \"$1\" = -m ]; then echo 'No module named venv'; exit 3; fi");

        assertThatThrownBy(() -> PythonEnvironment.of(new Home(checkout), programs.toString()))
                .isInstanceOf(LaunchException.class)
                .hasMessage("the Python client cannot run: python3 has no module venv; install the package"
                        + " \"python3-venv\": exit code 3, No module named venv");
    }

    @Test
    void anEnvironmentIsMadeOnce() throws Exception {
        // The venv of this python3 has an interpreter that counts how often it is run.
        python(
                "if [ \"$1\" = -m ]; then mkdir -p \"$3/bin\";"
                        + " printf '#!/bin/sh\\necho run >>\"%s/runs\"\\n' \"$3\" >\"$3/bin/python\"; chmod +x \"$3/bin/python\"; fi");

        PythonEnvironment first = PythonEnvironment.of(new Home(checkout), programs.toString());
        PythonEnvironment second = PythonEnvironment.of(new Home(checkout), programs.toString());

        assertThat(second).isEqualTo(first);
        assertThat(first.folder().resolve("runs")).content().isEqualTo("run\n");
        assertThat(first.command("demo")).containsExactly(first.python().toString(), "-m", "kvstore_bench.demo");
    }

    @Test
    void anEnvironmentOfAnEngineIsTheWholeOneAndRunsTheSameModules() throws IOException {
        Path place = checkout.resolve("target/engines/lmcache/pinned");
        Path whole = Files.createDirectories(place.resolve("b"));
        Files.createFile(whole.resolve("installed"));
        Files.createDirectories(place.resolve("a/bin"));
        Files.createFile(place.resolve("index.log"));

        PythonEnvironment engine =
                PythonEnvironment.ofEngine(new Home(checkout), "lmcache").orElseThrow();

        assertThat(engine.python()).isEqualTo(whole.resolve("bin/python"));
        assertThat(engine.client()).isEqualTo(checkout.resolve("client-python/kvstore-client"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"target", "target/engines/lmcache/pinned/begun/bin"})
    void anEnvironmentThatIsNotThereOrNotWholeIsNone(String folder) throws IOException {
        Files.createDirectories(checkout.resolve(folder));

        assertThat(PythonEnvironment.ofEngine(new Home(checkout), "lmcache")).isEmpty();
    }

    private Path python(String script) throws IOException {
        Path python = Files.writeString(programs.resolve("python3"), "#!/bin/sh\n" + script + "\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        return python;
    }
}
