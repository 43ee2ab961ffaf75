package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
                """.formatted(told));
        assertThat(systemctl.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aChangedFileIsWrittenAndItsUnitRestarted() throws Exception {
        run("KVSTORE_MAX_LOOKUPS=1000\\n", Map.of());
        Files.deleteIfExists(told);

        run("KVSTORE_MAX_LOOKUPS=2000\\n", Map.of());

        assertThat(folder.resolve("root/etc/kv/node.env")).hasContent("KVSTORE_MAX_LOOKUPS=2000\n");
        assertThat(folder.resolve("root/etc/kv/node.env.new")).doesNotExist();
        assertThat(told).hasContent("daemon-reload\nrestart kv-secrets kv-node\n");
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

    private void run(String content, Map<String, String> more) throws Exception {
        String script = TerraformConsole.text(
                folder,
                "templatefile(\"" + TEMPLATE
                        + "\", {unit = \"kv-node\", files = [{path = \"/etc/kv/node.env\", content = \"" + content
                        + "\", permissions = \"0640\"}]})");
        Path file = Files.writeString(folder.resolve("configure"), script);
        Map<String, String> environment = new HashMap<>(more);
        environment.put("KV_ROOT", folder.resolve("root").toString());
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        assertThat(GoTool.run(folder, environment, List.of("sh", file.toString())))
                .isEmpty();
    }
}
