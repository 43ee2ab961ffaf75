package dev.kvstore.control.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.database.Database;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
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
    /** As many as a replica has connections for. */
    private static final int WRITERS = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final AtomicInteger names = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void othersAnswerMeanwhileAndMakeChangesOnceTheDatabaseHasTakenTheLockAway() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPort(FreePorts.one())
                .setPGStartupWait(Patience.LIMIT)
                .start()) {
            Database database = new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "");
            try (ControlPlaneInstance frozen = ControlPlaneInstance.start(database, folder.resolve("frozen.log"));
                    ControlPlaneInstance healthy =
                            ControlPlaneInstance.start(database, folder.resolve("healthy.log"))) {
                freezeWithTheLock(frozen, database);
                try {
                    List<CompletableFuture<Void>> writers = write(healthy);

                    assertThat(healthy.isReady()).isTrue();
                    assertThat(healthy.admin().get("/v1/tenants").statusCode()).isEqualTo(200);

                    await().atMost(Patience.LIMIT).until(() -> put(healthy) == 201);
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

    /** Whether somebody holds the lock whose transaction waits for its client. */
    private static boolean isLocked(Database database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), "");
                Statement statement = connection.createStatement();
                ResultSet holders = statement.executeQuery("""
                        select 1 from pg_locks l join pg_stat_activity a using (pid)
                        where l.locktype = 'advisory' and l.granted and a.state = 'idle in transaction'""")) {
            return holders.next();
        }
    }

    private List<CompletableFuture<Void>> write(ControlPlaneInstance replica) {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        while (!over.get()) {
                            int _ = put(replica);
                        }
                    },
                    Thread::startVirtualThread));
        }
        return writers;
    }

    private int put(ControlPlaneInstance replica) {
        return replica.admin()
                .body(Map.of())
                .put("/v1/tenants/t" + names.incrementAndGet())
                .statusCode();
    }
}
