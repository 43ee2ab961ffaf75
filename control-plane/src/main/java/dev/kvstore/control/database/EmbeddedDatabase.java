package dev.kvstore.control.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A PostgreSQL of this process's own, whose data stay in a folder. */
public final class EmbeddedDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedPostgres postgres;

    private EmbeddedDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /**
     * Starts it.
     *
     * @param folder made if missing; what a process left running that was killed is ended first
     * @throws BadDatabaseException if it cannot be started
     */
    public static EmbeddedDatabase start(Path folder) throws BadDatabaseException, InterruptedException {
        Path data = folder.resolve("postgresql").toAbsolutePath();
        try {
            Files.createDirectories(folder);
            endLeftOver(data);
            return new EmbeddedDatabase(EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(
                            folder.resolve("postgresql-program").toFile())
                    .setPGStartupWait(PATIENCE)
                    .setServerConfig("max_connections", "100")
                    .setOutputRedirector(
                            Redirect.appendTo(folder.resolve("postgresql.log").toFile()))
                    .setErrorRedirector(
                            Redirect.appendTo(folder.resolve("postgresql.log").toFile()))
                    .start());
        } catch (IOException | IllegalStateException e) {
            throw new BadDatabaseException(
                    "PostgreSQL could not be started in " + folder + ": " + e.getMessage() + "; "
                            + folder.resolve("postgresql.log") + " has more",
                    e);
        }
    }

    private static void endLeftOver(Path data) throws IOException, InterruptedException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file);
        Optional<ProcessHandle> process = lines.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        if (process.isPresent() && isPostgres(process.get())) {
            process.get().destroy();
            try {
                var _ = process.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | java.util.concurrent.ExecutionException e) {
                throw new IOException("process " + process.get().pid() + " of before does not end", e);
            }
        }
        Files.deleteIfExists(file);
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.contains("postgres"))
                .isPresent();
    }

    /** How it is reached. */
    public Database database() {
        return new Database(postgres.getJdbcUrl(USER, "postgres"), USER, "");
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
