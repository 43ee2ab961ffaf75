package dev.kvstore.control.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.database.Database;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.postgres.PostgresArchive;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two control planes' processes, of which one is stopped (SIGSTOP) while it holds the lock that orders changes. */
class FrozenReplicaIT {
    /** More than a replica has connections for. */
    private static final int WRITERS = 30;

    /** Changes of one caller at one replica that wait in the database at a time, at most: half of the slots for changes. */
    private static final int SLOTS = 6;

    private static final int READS = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final AtomicInteger names = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void othersAnswerReadersMeanwhileAndMakeChangesOnceTheDatabaseHasTakenTheLockAway() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPgBinaryResolver(new PostgresArchive())
                .setPort(FreePorts.one())
                .setPGStartupWait(Patience.LIMIT)
                .start()) {
            Database database = new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "");
            try (ControlPlaneInstance frozen = ControlPlaneInstance.start(database, folder.resolve("frozen.log"));
                    ControlPlaneInstance healthy =
                            ControlPlaneInstance.start(database, folder.resolve("healthy.log"))) {
                assertThat(put(healthy)).isEqualTo(201);
                freezeWithTheLock(frozen, database);
                try {
                    long began = System.nanoTime();
                    List<CompletableFuture<Void>> writers = write(healthy);
                    await().atMost(Patience.LIMIT).until(() -> waiting(database) >= SLOTS);

                    assertThat(healthy.isReady()).isTrue();
                    for (int i = 0; i < READS; i++) {
                        assertThat(healthy.admin().get("/v1/tenants").statusCode())
                                .isEqualTo(200);
                    }
                    assertThat(waiting(database)).isPositive();

                    await().atMost(Patience.LIMIT).until(() -> put(healthy) == 201);
                    System.out.printf("trial: changes again %.1f s after a replica was stopped%n", seconds(began));
                    over.set(true);
                    writers.forEach(CompletableFuture::join);
                } finally {
                    over.set(true);
                    frozen.thaw();
                }
                await().atMost(Patience.LIMIT).until(() -> put(frozen) == 201);
            }
        }
    }

    /** Stops it, again until it was in the middle of a change. */
    private void freezeWithTheLock(ControlPlaneInstance replica, Database database) throws InterruptedException {
        var _ = write(replica);
        await().atMost(Patience.LIMIT).until(() -> {
            replica.freeze();
            if (isLocked(database)) {
                return true;
            }
            replica.thaw();
            return false;
        });
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    /** Whether somebody holds the lock whose transaction waits for its client. */
    private static boolean isLocked(Database database) throws SQLException {
        return count(database, "l.granted and a.state = 'idle in transaction'") > 0;
    }

    /** Transactions that wait for a lock of changes. */
    private static int waiting(Database database) throws SQLException {
        return count(database, "not l.granted");
    }

    private static int count(Database database, String locks) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), "");
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("""
                        select count(*) from pg_locks l join pg_stat_activity a using (pid)
                        where l.locktype = 'advisory' and\s""" + locks)) {
            assertThat(found.next()).isTrue();
            return found.getInt(1);
        }
    }

    private List<CompletableFuture<Void>> write(ControlPlaneInstance replica) {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Runnable write = i % 2 == 0 ? () -> put(replica) : () -> repeat(replica);
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        while (!over.get()) {
                            write.run();
                        }
                    },
                    Thread::startVirtualThread));
        }
        return writers;
    }

    /** Some with the same Idempotency-Key, so that they wait for the first of them. */
    private void repeat(ControlPlaneInstance replica) {
        replica.admin()
                .header("Idempotency-Key", "repeat-" + names.incrementAndGet() / WRITERS)
                .body(Map.of("label", "repeated"))
                .post("/v1/tenants/t1/keys");
    }

    private int put(ControlPlaneInstance replica) {
        return replica.admin()
                .body(Map.of())
                .put("/v1/tenants/t" + names.incrementAndGet())
                .statusCode();
    }
}
