package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The systemd units and the cloud-init template, as systemd and cloud-init judge them. */
class UnitsTest {
    @TempDir
    Path folder;

    @Test
    void cloudInitTakesTheTemplate() throws Exception {
        assumeTrue(isThere("cloud-init"), "missing: cloud-init, of the package cloud-init");
        Path template = Home.current().path().resolve("deploy/machine/cloud-init.yaml");
        Path broken = folder.resolve("broken.yaml");
        Files.writeString(broken, Files.readString(template).replace("permissions: \"0640\"", "permissions: 640"));

        assertThat(said("cloud-init", "schema", "--config-file", template.toString()))
                .contains("Valid");
        assertThat(said("cloud-init", "schema", "--config-file", broken.toString()))
                .contains("permissions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kv-node.service", "kv-control-plane.service", "kv-secrets.service", "kv-metrics.service"})
    void systemdFindsNoFault(String name) throws Exception {
        assumeTrue(isThere("systemd-analyze"), "missing: systemd-analyze, of the package systemd");
        Path home = Home.current().path();
        Path unit = folder.resolve(name);
        // Where this checkout is, not where a machine has it; and a user that is here.
        Files.writeString(
                unit,
                Files.readString(home.resolve("deploy/machine").resolve(name))
                        .replace("/opt/kv/", home + "/")
                        .replace("/usr/bin/prometheus", "/usr/bin/env")
                        .replace("User=kv", "User=root")
                        .replace("Group=kv", "Group=root"));

        assertThat(verify(unit)).isEmpty();

        Files.writeString(unit, Files.readString(unit).replace("Restart=always", "Restart=evermore"));
        assertThat(verify(unit)).contains("evermore");
    }

    @Test
    void dataPlanesServeAfterARestartWithoutControlPlanes() throws IOException {
        assertThat(Files.readAllLines(Home.current().path().resolve("deploy/machine/kv-node.service")))
                .contains("StateDirectory=kv", "Environment=KVSTORE_STATE_PATH=/var/lib/kv/state");
    }

    private static boolean isThere(String program) {
        return Stream.of("/usr/bin", "/bin").map(Path::of).anyMatch(bin -> Files.isExecutable(bin.resolve(program)));
    }

    private static String verify(Path unit) throws IOException, InterruptedException {
        // The other lines are of units of this machine.
        return said("systemd-analyze", "verify", "--man=no", unit.toString())
                .lines()
                .filter(line -> line.contains("kv-"))
                .reduce("", (all, line) -> all + line + "\n");
    }

    private static String said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readNBytes(64 * 1024), UTF_8);
        process.waitFor();
        return said;
    }
}
