package dev.kvstore.control.process;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane with a database of its own, as a real process, on systems that are not as they should be. */
class HardPlacesIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** Starts one, and waits until it is ready. */
    private static void start(Path data, Path log, Map<String, String> environment, String... java)
            throws InterruptedException {
        int port = FreePorts.row(2);
        Program program = Program.CONTROL_PLANE;
        List<String> options = new ArrayList<>(List.of("-Xmx256m"));
        options.addAll(List.of(java));
        List<String> command = new ArrayList<>(program.command(program.jar(Home.current()), options));
        command.addAll(List.of("--http-port", "" + port, "--port", "" + (port + 1)));
        command.addAll(List.of("--data", data.toString(), "--end-with-parent"));
        try (ManagedProcess process = ManagedProcess.start("control-plane", command, environment, log)) {
            var _ = process.awaitReady(
                    Readiness.http(URI.create("http://127.0.0.1:" + port + "/q/health/ready")), Duration.ofMinutes(3));
        }
    }

    @Test
    void aFolderMayHaveASpaceInItsName() throws Exception {
        start(folder.resolve("with space"), folder.resolve("log"), Map.of());
    }

    @Test
    void aLocaleThatIsNotInstalledKeepsNobodyFromStarting() throws Exception {
        start(
                folder.resolve("data"),
                folder.resolve("log"),
                Map.of("LC_ALL", "xx_YY.UTF-8", "LANG", "xx_YY.UTF-8", "LANGUAGE", "xx"));
    }

    @Test
    void theFolderOfTemporaryFilesMayBeReadOnly() throws Exception {
        start(folder.resolve("data"), folder.resolve("log"), Map.of(), "-Djava.io.tmpdir=/proc/self");
    }
}
