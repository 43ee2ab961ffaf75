package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.control.SharedPostgres;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Pooler}: a real PgBouncer between a control plane and its database. */
@Tag("slow")
class PoolerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static Path program() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("/usr/sbin/pgbouncer"));
    }

    private ManagedProcess pgBouncer(Database database, int port, String mode) throws Exception {
        assumeTrue(Files.isExecutable(program()), "missing: pgbouncer; apt install pgbouncer");
        URI at = URI.create(database.url().substring("jdbc:".length()));
        Path users = Files.writeString(folder.resolve("users.txt"), "\"postgres\" \"\"\n");
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                kv = host=127.0.0.1 port=%d dbname=%s
                [pgbouncer]
                listen_addr=127.0.0.1
                listen_port=%d
                unix_socket_dir=
                auth_type=trust
                auth_file=%s
                pool_mode=%s
                default_pool_size=20
                ignore_startup_parameters=extra_float_digits
                """.formatted(
                        at.getPort(), at.getPath().substring(1), port, users, mode));
        // It does not run as root.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> user = System.getProperty("user.name").equals("root") ? List.of("-u", "nobody") : List.of();
        List<String> command = Stream.of(List.of(program().toString()), user, List.of(settings.toString()))
                .flatMap(List::stream)
                .toList();
        ManagedProcess process = ManagedProcess.start("pgbouncer", command, Map.of(), folder.resolve("pgbouncer.log"));
        Awaitility.await().atMost(Patience.LIMIT).ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
        return process;
    }

    private static Database through(int port, Database database) {
        return new Database("jdbc:postgresql://127.0.0.1:" + port + "/kv", database.user(), database.password());
    }

    @Test
    void oneThatSharesSessionsIsRefusedBeforeAnythingIsDone() throws Exception {
        Database database = SharedPostgres.newDatabase().database();
        int port = FreePorts.one();
        try (ManagedProcess _ = pgBouncer(database, port, "transaction")) {
            for (int start = 0; start < 2; start++) {
                assertThatExceptionOfType(BadDatabaseException.class)
                        .isThrownBy(() -> Migrations.run(through(port, database)))
                        .withMessageContaining("is behind a pooler that shares sessions between transactions")
                        .withMessageContaining("pool_mode=session");
            }
        }

        assertThatNoException().isThrownBy(() -> Migrations.run(database));
    }

    @Test
    void oneThatKeepsASessionForEachConnectionIsUsed() throws Exception {
        Database database = SharedPostgres.newDatabase().database();
        int port = FreePorts.one();
        try (ManagedProcess _ = pgBouncer(database, port, "session")) {
            for (int start = 0; start < 2; start++) {
                assertThatNoException().isThrownBy(() -> Migrations.run(through(port, database)));
            }
        }
    }
}
