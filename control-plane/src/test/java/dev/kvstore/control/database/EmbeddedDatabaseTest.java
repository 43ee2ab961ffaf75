package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
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
}
