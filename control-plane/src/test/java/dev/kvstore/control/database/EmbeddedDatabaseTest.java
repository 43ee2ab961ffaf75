package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddedDatabaseTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static void execute(Database database, String command) throws SQLException {
        try (Connection connection =
                DriverManager.getConnection(database.url(), database.user(), database.password())) {
            connection.createStatement().execute(command);
        }
    }

    @Test
    void whatIsInItIsThereAfterARestartAndNobodyGetsInWithoutThePassword() throws Exception {
        try (EmbeddedDatabase first = EmbeddedDatabase.start(folder)) {
            execute(first.database(), "create table kept (n int)");
        }

        try (EmbeddedDatabase again = EmbeddedDatabase.start(folder)) {
            execute(again.database(), "select n from kept");
            Database known = again.database();
            assertThatThrownBy(() -> execute(new Database(known.url(), known.user(), ""), "select 1"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(Files.getPosixFilePermissions(folder.resolve("postgresql.password")))
                .isEqualTo(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }

    @Test
    void aStalePidFileThatNamesAnotherPostgresqlLeavesThatOneAlone(@TempDir Path other) throws Exception {
        try (EmbeddedDatabase running = EmbeddedDatabase.start(other)) {
            execute(running.database(), "create table kept (n int)");
            Path stale = folder.resolve("postgresql/postmaster.pid");
            Files.createDirectories(stale.getParent());
            Files.copy(other.resolve("postgresql/postmaster.pid"), stale);

            try (EmbeddedDatabase mine = EmbeddedDatabase.start(folder)) {
                execute(mine.database(), "create table mine (n int)");
            }

            execute(running.database(), "select n from kept");
        }
    }

    @Test
    void itsProgramIsForThisUserAlone() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            execute(database.database(), "select 1");
            assertThat(Files.getPosixFilePermissions(folder.resolve("postgresql-program")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(Files.getPosixFilePermissions(folder.resolve("postgresql.log")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void aProgramThatOthersCouldWriteIsUnpackedAnew() throws Exception {
        Path program = Files.createDirectories(folder.resolve("postgresql-program"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path planted = program.resolve("PG-0/bin/postgres");
        Files.createDirectories(planted.getParent());
        Files.writeString(planted, "#!/bin/sh\n");

        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            execute(database.database(), "select 1");
        }

        assertThat(planted).doesNotExist();
    }

    @Test
    void aProgramThatOthersMayWriteIsNotRun() throws Exception {
        Path program = Files.createDirectory(
                folder.resolve("postgresql-program"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path postgres = program.resolve("PG-0/bin/postgres");
        Files.createDirectories(postgres.getParent());
        Files.writeString(postgres, "#!/bin/sh\n");
        Files.setPosixFilePermissions(postgres, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> EmbeddedDatabase.start(folder))
                .isInstanceOf(BadDatabaseException.class)
                .hasMessageContaining("can be written by other users");
    }

    @Test
    void aPidFileThatWasCutShortIsStale() throws Exception {
        Files.createDirectories(folder.resolve("postgresql"));
        Files.writeString(folder.resolve("postgresql/postmaster.pid"), "garbage");

        try (EmbeddedDatabase mine = EmbeddedDatabase.start(folder)) {
            execute(mine.database(), "select 1");
        }
    }

    /** The one folder of the program, of whichever version. */
    private static Path program(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("postgresql-program"))) {
            return all.filter(path -> path.getFileName().toString().startsWith("PG-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aProgramThatIsMarkedAsWholeAndIsNotIsUnpackedAnew() throws Exception {
        EmbeddedDatabase.start(folder).close();
        Path program = program(folder);
        Files.write(program.resolve("bin/postgres"), new byte[1_000]);
        Files.delete(program.resolve(".whole"));

        try (EmbeddedDatabase again = EmbeddedDatabase.start(folder)) {
            execute(again.database(), "select 1");
        }
    }

    @Test
    void aProgramThatIsWholeStaysAsItIs() throws Exception {
        EmbeddedDatabase.start(folder).close();
        Path postgres = program(folder).resolve("bin/postgres");
        FileTime unpacked = Files.getLastModifiedTime(postgres);
        Files.delete(program(folder).resolve(".whole"));

        EmbeddedDatabase.start(folder).close();

        assertThat(Files.getLastModifiedTime(postgres)).isEqualTo(unpacked);
    }

    @Test
    void aDatabaseThatInitdbDidNotFinishIsMadeAnew() throws Exception {
        Path data = Files.createDirectories(folder.resolve("postgresql"));
        Files.createDirectories(data.resolve("base/1"));
        Files.writeString(data.resolve("PG_VERSION"), "18\n");
        Files.writeString(data.resolve("base/1/1259"), "");
        Files.writeString(data.resolve("postgresql.conf"), "");

        try (EmbeddedDatabase made = EmbeddedDatabase.start(folder)) {
            execute(made.database(), "create table kept (n int)");
        }
    }

    @Test
    void aFolderWithATableOfSomebodysIsNotEmptied() throws Exception {
        Path table = folder.resolve("postgresql/base/5/16400");
        Files.createDirectories(table.getParent());
        Files.writeString(table, "rows");

        DataFolder.clearUnfinished(folder.resolve("postgresql"));

        assertThat(table).hasContent("rows");
    }

    @Test
    void aFullDiskIsNamedAndTheNextStartAfterRoomWasMadeSucceeds(@TempDir Path disk) throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()),
                "missing: the right to mount a tmpfs, a disk that can be filled up");
        try {
            for (String size : List.of("30m", "80m")) {
                assertThat(run("mount", "-o", "remount,size=" + size, disk.toString()))
                        .isTrue();
                assertThatThrownBy(() -> EmbeddedDatabase.start(disk.resolve("data")))
                        .as(size)
                        .isInstanceOf(BadDatabaseException.class)
                        .hasMessageContaining(disk.toString())
                        .hasMessageContaining("; make room there and start again");
            }

            assertThat(run("mount", "-o", "remount,size=600m", disk.toString())).isTrue();
            try (EmbeddedDatabase started = EmbeddedDatabase.start(disk.resolve("data"))) {
                execute(started.database(), "select 1");
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
    void nothingIsMadeInTheFolderOfTemporaryFiles() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            String port = database.database().url().replaceAll(".*:([0-9]+)/.*", "$1");

            assertThat(Path.of("/tmp/.s.PGSQL." + port)).doesNotExist();
        }
    }

    @Test
    void aServerThatDoesNotStartIsNotWaitedFor() throws Exception {
        EmbeddedDatabase.start(folder).close();
        Files.writeString(folder.resolve("postgresql/postgresql.conf"), "no_such_setting = 1\n");
        long begun = System.nanoTime();

        assertThatThrownBy(() -> EmbeddedDatabase.start(folder))
                .isInstanceOf(BadDatabaseException.class)
                .hasMessageContaining("postgresql.conf\" contains errors");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    }
}
