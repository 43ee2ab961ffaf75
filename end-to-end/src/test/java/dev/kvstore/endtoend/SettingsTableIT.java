package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.doctor.process.ContainerMemoryCheck;
import dev.kvstore.launcher.Home;
import dev.kvstore.settings.DeclaredSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv help settings}. */
class SettingsTableIT {
    private static final String FILE = "docs/operations/all-settings.md";

    @TempDir
    Path folder;

    @Test
    void theHandbookHasWhatTheProgramsSay() throws Exception {
        // The environment changes no default.
        Map<String, String> environment = Map.of("KVSTORE_URL", "http://elsewhere", "KVSTORE_TLS_CERT", "a.pem");

        Kv.KvResult result = Kv.run(folder, environment, List.of("help", "settings", "--markdown"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .as("write it again: ./kv help settings --markdown > " + FILE)
                .isEqualTo(Files.readString(Home.current().path().resolve(FILE)));
    }

    @Test
    void theChartAndTheModulesKnowWhatTheProgramsSay() throws Exception {
        String file = "deploy/helm/kvstore/settings.json";

        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("help", "settings", "--json"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .as("write it again: ./kv help settings --json > " + file)
                .isEqualTo(Files.readString(Home.current().path().resolve(file)));
    }

    @Test
    void theDoctorKnowsTheDefaultsOfADataPlanesMemory() throws Exception {
        String table = Kv.run(folder, Map.of(), List.of("help", "settings")).out();

        assertThat(ContainerMemoryCheck.SETTINGS)
                .allSatisfy((setting, size) -> assertThat(table)
                        .containsPattern(" " + setting.substring(DeclaredSettings.PREFIX.length())
                                + " +\\(size; .*default " + size + "\\)"));
    }

    @Test
    void aTerminalOf120ColumnsHoldsIt() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("help", "settings"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains(
                        "DATA PLANE: SETTINGS", "CONTROL PLANE: SETTINGS", "JAVA SDK", "KV UP: FLAGS", "KV_SKIP_BUILD")
                .contains("  transfer-memory  (size; 130M to 1P; default 1G)");
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }
}
