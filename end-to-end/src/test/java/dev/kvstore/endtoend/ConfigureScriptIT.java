package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script by which a machine that runs gets changed files of its module. */
class ConfigureScriptIT {
    private static final Path TEMPLATE = Home.current().path().resolve("deploy/machine/kv-configure.tftpl");

    @TempDir
    Path folder;

    private Path told;

    @BeforeEach
    void standIn() throws Exception {
        TerraformConsole.require();
        told = folder.resolve("told");
        Path systemctl = Files.createDirectory(folder.resolve("bin")).resolve("systemctl");
        Files.writeString(systemctl, """
                #!/bin/sh
                [ "$1" != is-active ] || exit ${INACTIVE:-0}
                echo "$@" >> %s
                [ "$*" != "restart kv-metrics" ] || exit ${NO_PROMETHEUS:-0}
                [ "$*" != "restart kv-secrets" ] || exit ${NO_SECRET:-0}
                """.formatted(told));
        assertThat(systemctl.toFile().setExecutable(true)).isTrue();
        Path image = Files.createDirectories(folder.resolve("root/opt/kv/deploy/machine"));
        for (String unit : List.of("kv-metrics.service", "kv-secrets.service")) {
            Files.copy(TEMPLATE.resolveSibling(unit), image.resolve(unit));
        }
        Files.createDirectories(folder.resolve("root/etc/systemd/system"));
    }

    @Test
    void aChangedFileIsWrittenAndItsUnitRestarted() throws Exception {
        run("KVSTORE_MAX_LOOKUPS=1000\\n", Map.of());
        Files.deleteIfExists(told);

        run("KVSTORE_MAX_LOOKUPS=2000\\n", Map.of());

        assertThat(folder.resolve("root/etc/kv/node.env")).hasContent("KVSTORE_MAX_LOOKUPS=2000\n");
        assertThat(folder.resolve("root/etc/kv/node.env.new")).doesNotExist();
        assertThat(told).hasContent("daemon-reload\nrestart kv-secrets\nrestart kv-node\n");
    }

    @Test
    void unchangedFilesRestartNothing() throws Exception {
        run("KVSTORE_MAX_LOOKUPS=1000\\n", Map.of());
        Files.deleteIfExists(told);

        run("KVSTORE_MAX_LOOKUPS=1000\\n", Map.of());

        assertThat(told).doesNotExist();
    }

    @Test
    void aUnitThatDoesNotRunYetIsLeftToCloudInit() throws Exception {
        run("A=1\\n", Map.of("INACTIVE", "3"));

        assertThat(folder.resolve("root/etc/kv/node.env")).hasContent("A=1\n");
        assertThat(told).doesNotExist();
    }

    @Test
    void otherMetricsRestartTheirUnitAlone() throws Exception {
        run("A=1\\n", "one", Map.of());
        Files.deleteIfExists(told);

        run("A=1\\n", "another", Map.of());

        assertThat(folder.resolve("root/etc/kv/metrics.yaml")).hasContent("another");
        assertThat(folder.resolve("root/etc/systemd/system/kv-metrics.service")).exists();
        assertThat(told).hasContent("daemon-reload\nrestart kv-secrets\nenable kv-metrics\nrestart kv-metrics\n");
    }

    /** Of a vault that has just taken the place of another one. The files before it stay. */
    @Test
    void aSecretThatIsNotThereYetStopsNothing() throws Exception {
        run("A=1\\n", Map.of());

        run("A=2\\n", Map.of("NO_SECRET", "1"));

        assertThat(told).content().endsWith("restart kv-secrets\nrestart kv-node\n");
    }

    @Test
    void anImageWithoutPrometheusTakesAllOtherFiles() throws Exception {
        assertThat(said("A=1\\n", "one", Map.of("NO_PROMETHEUS", "1")))
                .isEqualTo("kv-metrics does not start: take an image of this version, with the package prometheus\n");

        assertThat(folder.resolve("root/etc/kv/node.env")).hasContent("A=1\n");
    }

    @Test
    void metricsThatAreWantedNoMoreEnd() throws Exception {
        run("A=1\\n", "one", Map.of());
        Files.deleteIfExists(told);

        run("A=1\\n", Map.of());

        assertThat(folder.resolve("root/etc/kv/metrics.yaml")).doesNotExist();
        assertThat(told).hasContent("disable --now kv-metrics\n");
    }

    private void run(String content, Map<String, String> more) throws Exception {
        run(content, null, more);
    }

    private void run(String content, @Nullable String metrics, Map<String, String> more) throws Exception {
        assertThat(said(content, metrics, more)).isEmpty();
    }

    private String said(String content, @Nullable String metrics, Map<String, String> more) throws Exception {
        String files = "{path = \"/etc/kv/node.env\", content = \"" + content + "\", permissions = \"0640\"}";
        if (metrics != null) {
            files += ", {path = \"/etc/kv/metrics.yaml\", content = \"" + metrics + "\\n\", permissions = \"0644\"}";
        }
        String script = TerraformConsole.text(
                folder, "templatefile(\"" + TEMPLATE + "\", {unit = \"kv-node\", files = [" + files + "]})");
        Path file = Files.writeString(folder.resolve("configure"), script);
        Map<String, String> environment = new HashMap<>(more);
        environment.put("KV_ROOT", folder.resolve("root").toString());
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        return GoTool.run(folder, environment, List.of("sh", file.toString()));
    }
}
