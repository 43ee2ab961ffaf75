package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LocalDatabaseTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static LocalDatabase start(Path folder) throws IOException, InterruptedException {
        return LocalDatabase.start(Home.current(), folder, new SecureRandom());
    }

    private static void execute(LocalDatabase database, String command) throws SQLException {
        execute(database.url(), database.password(), command);
    }

    private static void execute(String url, String password, String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, LocalDatabase.USER, password)) {
            connection.createStatement().execute(command);
        }
    }

    @Test
    void whatIsInItIsThereAfterARestartAndNobodyGetsInWithoutThePassword() throws Exception {
        Path spaced = folder.resolve("with space");
        LocalDatabase first = start(spaced);
        execute(first, "create table kept (n int)");
        first.close();
        first.startAgain();
        execute(first, "select n from kept");
        first.close();

        try (LocalDatabase again = start(spaced)) {
            execute(again, "select n from kept");
            assertThatThrownBy(() -> execute(again.url(), "another", "select 1"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void itsFilesAndItsProgramAreForThisUserAlone() throws Exception {
        try (LocalDatabase database = start(folder.resolve("own"))) {
            assertThat(permissions(folder.resolve("own"))).isEqualTo("rwx------");
            assertThat(permissions(database.data().resolveSibling("postgresql.password")))
                    .isEqualTo("rw-------");
            assertThat(permissions(PostgresqlProgram.unpacked(Home.current()))).isEqualTo("rwx------");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aServerWhoseOwnerWasKilledIsEnded() throws Exception {
        Set<Long> before = children();
        LocalDatabase killed = start(folder);
        execute(killed, "create table kept (n int)");
        ProcessHandle.current()
                .children()
                .filter(child -> !before.contains(child.pid()))
                .forEach(ProcessHandle::destroyForcibly);

        try (LocalDatabase next = start(folder)) {
            execute(next, "select n from kept");
            assertThatThrownBy(() -> execute(killed, "select 1")).isInstanceOf(SQLException.class);
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    @Test
    void aStalePidFileThatNamesAnotherPostgresqlLeavesThatOneAlone(@TempDir Path other) throws Exception {
        start(folder).close();
        try (LocalDatabase running = start(other)) {
            execute(running, "create table kept (n int)");
            Files.copy(running.data().resolve("postmaster.pid"), folder.resolve("postgresql/postmaster.pid"));

            try (LocalDatabase mine = start(folder)) {
                execute(mine, "create table mine (n int)");
            }

            execute(running, "select n from kept");
        }
    }

    @Test
    void aPidFileThatWasCutShortIsStale() throws Exception {
        start(folder).close();
        Files.writeString(folder.resolve("postgresql/postmaster.pid"), "garbage");

        try (LocalDatabase mine = start(folder)) {
            execute(mine, "select 1");
        }
    }

    @Test
    void aDatabaseThatWasNotMadeToItsEndIsMadeAnew() throws Exception {
        Path data = Files.createDirectories(folder.resolve("postgresql.new"));
        Files.createDirectories(data.resolve("base/1"));
        Files.writeString(data.resolve("PG_VERSION"), "18\n");

        try (LocalDatabase made = start(folder)) {
            execute(made, "create table kept (n int)");
        }
    }

    @Test
    void aFullDiskIsNamedAndTheNextStartAfterRoomWasMadeSucceeds(@TempDir Path disk) throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", disk.toString()),
                "missing: the right to mount a tmpfs, a disk that can be filled up");
        try {
            assertThatThrownBy(() -> LocalDatabase.start(new Home(disk), disk.resolve("data"), new SecureRandom()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device");
            assertThat(run("mount", "-o", "remount,size=80m", disk.toString())).isTrue();
            assertThatThrownBy(() -> LocalDatabase.start(new Home(disk), disk.resolve("data"), new SecureRandom()))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("Check free disk space");

            assertThat(run("mount", "-o", "remount,size=600m", disk.toString())).isTrue();
            try (LocalDatabase started =
                    LocalDatabase.start(new Home(disk), disk.resolve("data"), new SecureRandom())) {
                execute(started, "select 1");
            }
            try (Stream<Path> programs = Files.list(disk.resolve("target/postgresql"))) {
                assertThat(programs).hasSize(1);
            }
        } finally {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    @Test
    void aServerThatDoesNotStartIsNotWaitedFor() throws Exception {
        start(folder).close();
        Files.writeString(folder.resolve("postgresql/postgresql.conf"), "no_such_setting = 1\n");
        long begun = System.nanoTime();

        assertThatThrownBy(() -> start(folder))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("postgresql.conf\" contains errors");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    }
}
