package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help as {@code ./kv} prints it, verb by verb; commands below a verb are tests of their modules. */
class HelpIT {
    private static final int LINES = 25;
    private static final int COLUMNS = 103;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "help",
                "demo --help",
                "bench --help",
                "bench kv-cache --help",
                "up --help",
                "admin --help",
                "doctor --help",
                "top --help",
                "node --help",
                "node up --help",
                "control-plane --help",
                "database --help",
                "image --help",
                "terraform --help",
                "terraform check --help",
                "publish --help",
                "train --help",
                "check --help",
                "test --help"
            })
    void aFirstLookFitsAScreenWithoutAWarning(String arguments) throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of(arguments.split(" ")));

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines())
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(LINES)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void everythingAboutAControlPlaneIsBehindAnotherFlag() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("control-plane", "--help-all"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("--storage-endpoints", "KVSTORE_DB_USER", "docs/operations/control-plane.md");
    }
}
