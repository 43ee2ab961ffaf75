package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.stack.PostgresqlProgram;
import dev.kvstore.testing.Patience;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The PostgreSQL of local stacks as a database elsewhere: any address, TLS, a user of its own.
 */
final class Postgres implements Closeable {
    static final String USER = "kvstore";
    static final String PASSWORD = "of-no-value-at-all";

    /** It wants a user that has a name and is not root. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private final Process process;

    private Postgres(Process process) {
        this.process = process;
    }

    /**
     * Starts one and waits for it. Its database is {@code postgres}.
     *
     * @param folder of its own, below folders that anyone may pass
     * @param within what its command line begins with, such as the entry of a namespace
     * @param settings of the server, as {@code name=value}
     */
    static Postgres start(Path folder, List<String> within, int port, String... settings) throws Exception {
        Path program = Files.createDirectories(folder.resolve("program"));
        PostgresqlProgram.unpack(program);
        Path data = folder.resolve("data");
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        assertThat(GoTool.run(folder, Map.of(), List.of("chown", "-R", "65534:65534", folder.toString())))
                .isEmpty();
        List<String> init = new ArrayList<>(AS_NOBODY);
        init.addAll(List.of(program.resolve("bin/initdb").toString(), "-D", data.toString(), "-U", USER));
        init.addAll(List.of("--pwfile=" + password, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"));
        assertThat(GoTool.run(folder, Map.of(), init)).doesNotContain("exit code");
        Files.writeString(data.resolve("pg_hba.conf"), "host all all all scram-sha-256\n", StandardOpenOption.APPEND);
        List<String> command = new ArrayList<>(within);
        command.addAll(AS_NOBODY);
        command.addAll(List.of(program.resolve("bin/postgres").toString(), "-D", data.toString(), "-p", "" + port));
        command.addAll(List.of("-c", "unix_socket_directories=", "-c", "fsync=off"));
        for (String setting : settings) {
            command.addAll(List.of("-c", setting));
        }
        Path log = folder.resolve("postgresql.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(Patience.LIMIT)
                .until(() -> Files.readString(log).contains("ready to accept connections") || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        return new Postgres(process);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
