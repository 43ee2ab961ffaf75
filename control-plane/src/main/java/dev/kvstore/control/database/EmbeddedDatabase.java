package dev.kvstore.control.database;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
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
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of this process's own, whose data stay in a folder. */
public final class EmbeddedDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final int PASSWORD_BYTES = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);

    /** Where the launcher has the program unpacked, once for all stacks of a checkout. */
    private static final String PROGRAM = "dev.kvstore.postgresql.program";

    /** Where the archive with the program is, if not in this program's own jar: what trains an image says it. */
    private static final String ARCHIVE = "dev.kvstore.postgresql.archive";

    /** The library's, read when a builder is made. */
    private static final String WORKING_FOLDER = "ot.epg.working-dir";

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
        Path log = folder.resolve("postgresql.log");
        Path program = program(folder);
        try {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNERS_FOLDER));
            createIfMissing(log);
            ProgramFolder.prepare(program);
            PidFile.endLeftOver(data, PATIENCE);
            DataFolder.clearUnfinished(data);
            String password = password(folder.resolve("postgresql.password"));
            EmbeddedDatabase database = new EmbeddedDatabase(
                    started(
                            builder(program)
                                    .setPgBinaryResolver(new WholeProgram(program, archives(archive)))
                                    .setDataDirectory(data)
                                    .setCleanDataDirectory(false)
                                    .setOverrideWorkingDirectory(program.toFile())
                                    .setPGStartupWait(PATIENCE)
                                    .setConnectConfig("password", password)
                                    .setServerConfig("max_connections", "100")
                                    // It is reached over TCP; /tmp, where the socket would be, may be read-only.
                                    .setServerConfig("unix_socket_directories", "")
                                    // The system's locale may not be installed, and its order of letters may change
                                    // with the system.
                                    .setLocaleConfig("locale", "C")
                                    .setOutputRedirector(Redirect.appendTo(log.toFile()))
                                    .setErrorRedirector(Redirect.appendTo(log.toFile())),
                            ServerLog.of(log)),
                    password);
            ProgramFolder.close(program);
            database.close(data.resolve("pg_hba.conf"));
            return database;
        } catch (NotStartedException e) {
            WholeProgram.doubt(program);
            throw failed(folder, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw failed(folder, reason(e), e);
        } catch (SQLException e) {
            throw failed(folder, String.valueOf(e.getMessage()), e);
        }
    }

    /** The library makes a folder in that of temporary files, which may be read-only, unless another is named so. */
    private static EmbeddedPostgres.Builder builder(Path program) {
        String before = System.setProperty(WORKING_FOLDER, program.toString());
        try {
            return EmbeddedPostgres.builder();
        } finally {
            if (before == null) {
                System.clearProperty(WORKING_FOLDER);
            } else {
                System.setProperty(WORKING_FOLDER, before);
            }
        }
    }

    private static BadDatabaseException failed(Path folder, String reason, Exception e) {
        String way = reason.contains("No space left") || reason.contains("quota") || reason.contains("wrote only")
                ? "make room there and start again"
                : reason.contains("Read-only")
                                || reason.toLowerCase(Locale.ROOT).contains("permission denied")
                        ? "let " + System.getProperty("user.name") + " write there, or give --data another folder"
                        : folder.resolve("postgresql.log") + " has more";
        return new BadDatabaseException("PostgreSQL could not be started in " + folder + ": " + reason + "; " + way, e);
    }

    /** Java's own message is often no more than the file's name. */
    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e) {
            case AccessDeniedException _ -> message + ": permission denied";
            case FileAlreadyExistsException _ -> message + ": is there already, and is no folder";
            default -> message;
        };
    }

    /** PostgreSQL did not start; the message says why. */
    private static final class NotStartedException extends Exception {
        private static final long serialVersionUID = 1;

        NotStartedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Starts it, and waits no longer for one that has ended. */
    private static EmbeddedPostgres started(EmbeddedPostgres.Builder builder, ServerLog log)
            throws NotStartedException, IOException, InterruptedException {
        Thread starter = Thread.currentThread();
        AtomicBoolean givenUp = new AtomicBoolean();
        Thread watcher = Thread.ofVirtual().name("postgresql-start").start(() -> {
            try {
                while (!log.isGivenUp()) {
                    Thread.sleep(POLL);
                }
                givenUp.set(true);
                starter.interrupt();
            } catch (InterruptedException e) {
                // It has started.
            }
        });
        try {
            EmbeddedPostgres postgres = builder.start();
            watcher.interrupt();
            end(watcher, givenUp);
            if (givenUp.get()) {
                // The library takes an interrupt for a server that has started.
                boolean _ = Thread.interrupted();
                closeQuietly(postgres);
                throw new NotStartedException(log.reason(), null);
            }
            return postgres;
        } catch (ExceptionInInitializerError e) {
            if (e.getException() instanceof IOException io) {
                throw io;
            }
            throw new NotStartedException(String.valueOf(e.getException()), e);
        } catch (IOException | IllegalStateException e) {
            String reason = log.reason();
            throw new NotStartedException(reason.isEmpty() ? String.valueOf(e.getMessage()) : reason, e);
        } finally {
            watcher.interrupt();
        }
    }

    /** Its own interrupt of this thread ends no wait. */
    private static void end(Thread watcher, AtomicBoolean givenUp) throws InterruptedException {
        while (watcher.isAlive()) {
            try {
                watcher.join();
            } catch (InterruptedException e) {
                if (!givenUp.get()) {
                    throw e;
                }
            }
        }
    }

    private static void closeQuietly(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException | RuntimeException e) {
            System.getLogger(EmbeddedDatabase.class.getName())
                    .log(System.Logger.Level.DEBUG, "it had ended already", e);
        }
    }

    private static PgBinaryResolver archives(String archive) {
        return archive.isEmpty()
                ? DefaultPostgresBinaryResolver.INSTANCE
                : (_, _) -> Files.newInputStream(Path.of(archive));
    }

    private static Path program(Path folder) {
        String shared = System.getProperty(PROGRAM, "");
        return shared.isEmpty() ? folder.resolve("postgresql-program") : Path.of(shared);
    }

    /** The one that is kept there; a new one, if none is yet. */
    private static String password(Path file) throws IOException {
        // An empty one was left by a full disk.
        if (!Files.exists(file) || Files.size(file) == 0) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            createIfMissing(file);
            Files.writeString(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).strip();
    }

    /** Creates a file for this user alone. */
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
