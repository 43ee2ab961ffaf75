package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.PrivateFile;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A PostgreSQL for control planes of this machine, whose data stay in a folder. It listens on loopback, requires a
 * password, and ends when this process ends for any reason. One thread uses it.
 */
public final class LocalDatabase implements AutoCloseable {
    /** The user who owns everything in the database. */
    public static final String USER = "postgres";

    private static final int PASSWORD_BYTES = 24;

    /** The longest start. A first start makes a database, which takes a second or two on an idle machine. */
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    /** The time in which PostgreSQL writes its memory to the disk before it ends. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /**
     * A shell script that makes a database if there is none, starts the server, and stops it when standard input ends.
     * The server ignores the terminal's Ctrl-C, which is for the programs that use the database. Arguments: the
     * program's folder, the data's folder, the port.
     */
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            umask 077
            if [ -e "$2/postmaster.pid" ]; then "$1/bin/pg_ctl" stop -D "$2" -m fast; fi
            if [ ! -e "$2" ]; then
              rm -rf "$2.new"
              "$1/bin/initdb" -D "$2.new" -U postgres -A scram-sha-256 --pwfile "$2.password" -E UTF8 --locale C || exit
              mv "$2.new" "$2" || exit
            fi
            "$1/bin/pg_ctl" start -D "$2" -o "-p $3 -c unix_socket_directories=" || exit
            cat
            "$1/bin/pg_ctl" stop -D "$2" -m fast
            """;

    // The lines of postmaster.pid, counted from 0.
    private static final int PORT = 3;
    private static final int STATE = 7;

    private final Path program;
    private final Path data;
    private final String password;
    private final int port;
    private ManagedProcess process;

    private LocalDatabase(Path program, Path data, String password, int port) throws IOException, InterruptedException {
        this.program = program;
        this.data = data;
        this.password = password;
        this.port = port;
        this.process = started();
    }

    /**
     * Starts a database and waits until it can be used. A server that was left running in the folder is ended first.
     *
     * @param folder the folder of data, password and log; made if missing, for this user alone
     * @param random a {@code SecureRandom}: the password of a new folder comes from it
     * @throws LaunchException if the server does not start; the message ends with its log
     */
    public static LocalDatabase start(Home home, Path folder, RandomGenerator random)
            throws IOException, InterruptedException {
        Path program = PostgresqlProgram.unpacked(home);
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path data = folder.toRealPath().resolve("postgresql");
        Path password = data.resolveSibling("postgresql.password");
        if (!Files.exists(password)) {
            byte[] bytes = new byte[PASSWORD_BYTES];
            random.nextBytes(bytes);
            PrivateFile.write(password, HexFormat.of().formatHex(bytes));
        }
        return new LocalDatabase(program, data, Files.readString(password).strip(), Ports.free(random, 1, 0));
    }

    /** Starts the server again after {@link #close}, on the same port. */
    public void startAgain() throws IOException, InterruptedException {
        process = started();
    }

    private ManagedProcess started() throws IOException, InterruptedException {
        if (pid().filter(this::isServer).isEmpty()) {
            // A server that was killed left the file, and its number may be another process's by now.
            Files.deleteIfExists(pidFile());
        }
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // PostgreSQL refuses to run as root; in a user namespace this user is not root.
            command.addAll(List.of("unshare", "--user"));
        }
        command.addAll(List.of("sh", "-c", SCRIPT, "sh", program.toString(), data.toString(), Integer.toString(port)));
        // A locale that is not installed would be refused.
        ManagedProcess started = ManagedProcess.start(
                "PostgreSQL", command, Map.of("LC_ALL", "C"), data.resolveSibling("postgresql.log"));
        try {
            var _ = started.awaitReady(this::isReady, READY_WITHIN);
            return started;
        } catch (Throwable e) {
            started.stop(GRACE);
            throw e;
        }
    }

    private boolean isReady() {
        List<String> lines = postmaster();
        return lines.size() > STATE
                && lines.get(PORT).equals(Integer.toString(port))
                && lines.get(STATE).startsWith("ready");
    }

    private boolean isServer(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(running -> running.info().commandLine())
                .filter(line -> line.contains(" -D " + data + " "))
                .isPresent();
    }

    /** The lines that a running server writes about itself; empty if there is no server. */
    private List<String> postmaster() {
        try {
            return Files.readAllLines(pidFile());
        } catch (IOException notYet) {
            return List.of();
        }
    }

    private Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    /** The parent process of all processes of PostgreSQL; empty if it does not run. */
    public Optional<Long> pid() {
        return postmaster().stream()
                .findFirst()
                .filter(line -> line.matches("\\d+"))
                .map(Long::parseLong);
    }

    /** The URL for JDBC, without {@link #USER} and {@link #password}. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public String password() {
        return password;
    }

    /** The folder of the data, for use while the server does not run. */
    public Path data() {
        return data;
    }

    /** Stops the server, which ends its connections, and waits for its end. */
    @Override
    public void close() {
        process.stop(GRACE);
    }
}
