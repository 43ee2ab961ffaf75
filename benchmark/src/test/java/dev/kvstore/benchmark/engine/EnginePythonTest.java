package dev.kvstore.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where there is no engine, one sentence says so, with the way out. */
class EnginePythonTest {
    @TempDir
    Path checkout;

    @Test
    void aCheckoutWithoutAnEnvironmentIsTold() {
        assertThatThrownBy(() -> EnginePython.of(new Home(checkout), null))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("no environment with vLLM", "./kv test --engines lmcache", "--python");
    }

    @Test
    void aPythonWithoutTheConnectorIsTold() throws IOException {
        Path python = python(checkout, "vllm 0.32.0");

        assertThatThrownBy(() -> EnginePython.of(new Home(checkout), python))
                .isInstanceOf(LaunchException.class)
                .hasMessage("--python: " + python + " has no module kvstore_vllm; install vLLM, then"
                        + " client-python/kvstore-client and client-python/kvstore-vllm");
    }

    @Test
    void theEnvironmentWithLmcacheIsTakenBeforeTheOneWithout() throws Exception {
        environment("vllm", "vllm 0.32.0\nkvstore_vllm");

        assertThat(EnginePython.of(new Home(checkout), null).hasLmcache()).isFalse();

        environment("lmcache", "vllm 0.32.0\nkvstore_vllm\nlmcache 0.5.6");
        EnginePython both = EnginePython.of(new Home(checkout), null);

        assertThat(both.hasLmcache()).isTrue();
        assertThat(both.modules()).contains("vllm 0.32.0", "lmcache 0.5.6");
    }

    private void environment(String engine, String modules) throws IOException {
        Path folder = checkout.resolve("target/engines/" + engine + "/pinned/0123");
        python(Files.createDirectories(folder.resolve("bin")), modules);
        Files.createFile(folder.resolve("installed"));
    }

    /** A program that says what is installed, as Python would. */
    private static Path python(Path folder, String modules) throws IOException {
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\nprintf '" + modules + "\\n'\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        return python;
    }
}
