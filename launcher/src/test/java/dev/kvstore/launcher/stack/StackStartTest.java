package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.process.Ports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackStartTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, StackDataPlane.HTTP_OFFSET})
    void namesThePortThatIsTakenAndTheFlagThatChangesIt(int offset) throws Exception {
        int port = Ports.free(new Random(), 1, 0, StackDataPlane.HTTP_OFFSET);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + offset));

            assertThatThrownBy(() -> StackDataPlane.start(
                            new StackLayout.Seat(0, "local", "local"),
                            port,
                            List.of("true"),
                            Map.of(),
                            folder.resolve("data-plane.log")))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("port " + (port + offset), "--port");
        }
    }

    @Test
    void freePortsComeInARow() {
        int first = Ports.free(new Random(), 3, 0, StackDataPlane.HTTP_OFFSET);

        for (int i = 0; i < 3; i++) {
            assertThat(Ports.isFree(first + i)).isTrue();
            assertThat(Ports.isFree(first + i + StackDataPlane.HTTP_OFFSET)).isTrue();
        }
    }

    @Test
    void saysThatTheDataPlaneIsNotBuiltAndGivesTheFolderBack() throws Exception {
        StackOptions options = StackOptions.onFreePorts(new Home(folder), folder.resolve("stack"));

        assertThatThrownBy(() -> LocalStack.start(options, new Random(1)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("not built");
        StackFolder.take(options.folder()).close();
    }

    @Test
    void showsWhyADataPlaneDiedAtItsStart() throws Exception {
        Path jar = folder.resolve("data-plane/target/data-plane-runner.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "no jar");
        StackOptions options = StackOptions.onFreePorts(new Home(folder), folder.resolve("stack"))
                .withDataPlanes(1);

        assertThatThrownBy(() -> LocalStack.start(options, new Random(1)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("data-plane-", "exit code 1", "Invalid or corrupt jarfile");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void namesThePortOfAControlPlaneThatIsTakenBeforeItTouchesTheFolder(boolean rest) throws Exception {
        int port = Ports.free(new Random(), 1, 0);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            StackOptions options = StackOptions.onFreePorts(new Home(folder), folder.resolve("stack"))
                    .withControlPlane(rest ? new ControlPorts(port, 0) : new ControlPorts(0, port));

            assertThatThrownBy(() -> LocalStack.start(options, new Random(1)))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("port " + port, rest ? "--rest-port" : "--control-port");
            assertThat(options.folder()).doesNotExist();
        }
    }

    @Test
    void saysThatTheControlPlaneIsNotBuiltAndGivesTheFolderBack() throws Exception {
        StackOptions options = StackOptions.onFreePorts(new Home(folder), folder.resolve("stack"))
                .withControlPlane(ControlPorts.FREE);

        assertThatThrownBy(() -> LocalStack.start(options, new Random(1)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("the control plane is not built");
        StackFolder.take(options.folder()).close();
    }

    @Test
    void showsWhyAControlPlaneDiedAtItsStartAndGivesTheFolderBack() throws Exception {
        Path jar = folder.resolve("control-plane/target/control-plane-runner.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "no jar");
        StackOptions options = StackOptions.onFreePorts(new Home(folder), folder.resolve("stack"))
                .withControlPlane(ControlPorts.FREE);

        assertThatThrownBy(() -> LocalStack.start(options, new Random(1)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("control-plane", "exit code 1", "Invalid or corrupt jarfile");
        StackFolder.take(options.folder()).close();
    }

    @Test
    void aControlPlaneHasTwoPortsOfItsOwn() {
        ControlPorts chosen = ControlPorts.FREE.chosen(new Random());

        assertThat(chosen.rest()).isPositive().isNotEqualTo(chosen.grpc());
        assertThat(new ControlPorts(1, 0).chosen(new Random()).rest()).isEqualTo(1);
        assertThatThrownBy(() -> new ControlPorts(8080, 8080))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--control-port", "--rest-port");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 64_535, 70_000})
    void refusesPortsThatCannotBe(int port) {
        assertThatThrownBy(() ->
                        new StackOptions(new Home(folder), folder, StorageKind.FILESYSTEM, StackLayout.single(2), port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--port");
    }

    @Test
    void pausesLongerBeforeEachNewAttemptUpToHalfAMinute() {
        assertThat(Supervisor.next(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(8));
        assertThat(Supervisor.next(Duration.ofSeconds(20))).isEqualTo(Duration.ofSeconds(30));
    }
}
