package dev.kvstore.control.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;

/** A PostgreSQL of this process's own, whose data stay in a folder. */
public final class EmbeddedDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final int PASSWORD_BYTES = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Where the launcher has the program unpacked, once for all stacks of a checkout. */
    private static final String PROGRAM = "dev.kvstore.postgresql.program";

    /** Where the archive with the program is, if not in this program's own jar: what trains an image says it. */
    private static final String ARCHIVE = "dev.kvstore.postgresql.archive";

    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS_FOLDER = PosixFilePermissions.fromString("rwx------");

    private final EmbeddedPostgres postgres;
    private final String password;

    private EmbeddedDatabase(EmbeddedPostgres postgres, String password) {
        this.postgres = postgres;
        this.password = password;
    }

    /**
     * Starts it.
     *
     * @param folder made if missing; what a process left running that was killed is ended first
     * @throws BadDatabaseException if it cannot be started
     */
    public static EmbeddedDatabase start(Path folder) throws BadDatabaseException, InterruptedException {
        Path data = folder.resolve("postgresql").toAbsolutePath();
        String archive = System.getProperty(ARCHIVE, "");
        if (archive.isEmpty() && EmbeddedPostgres.class.getResource("/postgres-linux-x86_64.txz") == null) {
            throw new BadDatabaseException("an image has no PostgreSQL of its own: give --jdbc-url instead of --data");
        }
        try {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNERS_FOLDER));
            createIfMissing(folder.resolve("postgresql.log"));
            Path program = program(folder);
            ProgramFolder.prepare(program);
            PidFile.endLeftOver(data, PATIENCE);
            String password = password(folder.resolve("postgresql.password"));
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
            if (!archive.isEmpty()) {
                builder.setPgBinaryResolver((_, _) -> Files.newInputStream(Path.of(archive)));
            }
            EmbeddedPostgres postgres = builder.setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(program.toFile())
                    .setPGStartupWait(PATIENCE)
                    .setConnectConfig("password", password)
                    .setServerConfig("max_connections", "100")
                    .setOutputRedirector(
                            Redirect.appendTo(folder.resolve("postgresql.log").toFile()))
                    .setErrorRedirector(
                            Redirect.appendTo(folder.resolve("postgresql.log").toFile()))
                    .start();
            ProgramFolder.close(program);
            EmbeddedDatabase database = new EmbeddedDatabase(postgres, password);
            database.close(data.resolve("pg_hba.conf"));
            return database;
        } catch (IOException | SQLException | IllegalStateException e) {
            throw new BadDatabaseException(
                    "PostgreSQL could not be started in " + folder + ": " + e.getMessage() + "; "
                            + folder.resolve("postgresql.log") + " has more",
                    e);
        }
    }

    private static Path program(Path folder) {
        String shared = System.getProperty(PROGRAM, "");
        return shared.isEmpty() ? folder.resolve("postgresql-program") : Path.of(shared);
    }

    /** The one that is kept there; a new one, if none is yet. */
    private static String password(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            createIfMissing(file);
            Files.writeString(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).strip();
    }

    /** For this user alone. */
    private static void createIfMissing(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNERS_FILE));
        }
    }

    /** A new database is open to every user of this machine; from now on it asks for the password. */
    private void close(Path rules) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection(database().url(), USER, password);
                Statement statement = connection.createStatement()) {
            statement.execute("alter user " + USER + " password '" + password + "'");
            Files.writeString(rules, "host all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n");
            statement.execute("select pg_reload_conf()");
        }
    }

    /** How it is reached. */
    public Database database() {
        return new Database(postgres.getJdbcUrl(USER, "postgres"), USER, password);
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
