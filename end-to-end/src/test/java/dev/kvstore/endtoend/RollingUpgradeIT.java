package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StackProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A cluster goes from the version before to this one and back, a process at a time, while it is used. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the files that a process has open are read in /proc")
class RollingUpgradeIT {
    /** Rounds of calls with both versions side by side. */
    private static final int ROUNDS = 40;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void costsNoCallAndNoBlockInAnyOrderOfThePlanesAndBack() throws Exception {
        Home before = PreviousBuild.home();
        Home now = Home.current();
        // The folder from which processes are started, as an installation has it.
        Path installed = folder.resolve("installed");
        install(installed, before);
        StackOptions options = StackOptions.onFreePorts(new Home(installed), folder.resolve("stack"))
                .withControlPlane(ControlPorts.FREE)
                .withLayout(StackLayout.single(2));
        try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
            StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
            List<StackProcess> dataPlanesFirst = List.of(stack.dataPlane(0), stack.dataPlane(1), control);
            List<StackProcess> controlPlaneFirst = List.of(control, stack.dataPlane(1), stack.dataPlane(0));
            try (KvClient client = client(stack, control);
                    Traffic traffic = Traffic.begin(client)) {
                traffic.awaitMore(ROUNDS);

                move(installed, now, dataPlanesFirst, traffic);
                move(installed, before, controlPlaneFirst, traffic);
                move(installed, now, controlPlaneFirst, traffic);
                move(installed, before, dataPlanesFirst, traffic);

                traffic.stop();
                assertThat(traffic.failures()).isEmpty();
                try (KvClient reader = client(stack, control)) {
                    traffic.assertNothingIsLost(reader);
                }
            }
        }
    }

    private static KvClient client(LocalStack stack, StackControlPlane control) {
        return KvClient.builder()
                .controlPlane(control.address())
                .noRouteCache()
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build();
    }

    private static void install(Path installed, Home version) throws IOException {
        Path next = installed.resolveSibling("next");
        Files.createSymbolicLink(next, version.path());
        Files.move(next, installed, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Has one process after the other go on with another version. */
    private static void move(Path installed, Home version, List<StackProcess> processes, Traffic traffic)
            throws IOException, InterruptedException {
        install(installed, version);
        for (StackProcess process : processes) {
            process.restart();
            traffic.awaitMore(ROUNDS);
            assertThat(isOf(process, version)).as(process.name()).isTrue();
            assertThat(traffic.failures())
                    .as("after " + process.name() + " went to " + version.path())
                    .isEmpty();
        }
    }

    /** Whether a process has the jar of this version open. */
    private static boolean isOf(StackProcess process, Home version) throws IOException {
        List<Path> jars = Stream.of(Program.values())
                .map(program -> program.jar(version).toAbsolutePath().normalize())
                .toList();
        try (Stream<Path> open =
                Files.list(Path.of("/proc", Long.toString(process.process().pid()), "fd"))) {
            return open.anyMatch(file -> isOneOf(file, jars));
        }
    }

    private static boolean isOneOf(Path file, List<Path> jars) {
        try {
            return jars.contains(Files.readSymbolicLink(file));
        } catch (IOException closed) {
            return false;
        }
    }
}
