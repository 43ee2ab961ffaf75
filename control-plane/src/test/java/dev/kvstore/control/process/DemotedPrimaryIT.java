package dev.kvstore.control.process;

import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;

import dev.kvstore.control.database.Database;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.postgres.PostgresArchive;
import io.restassured.response.Response;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A control plane's process and two PostgreSQL servers, of which the first becomes a standby; the name that leads to
 * the primary follows later.
 */
class DemotedPrimaryIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private int puts;

    private EmbeddedPostgres postgres(String data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setPgBinaryResolver(new PostgresArchive())
                .setPort(port)
                .setDataDirectory(folder.resolve(data))
                .setCleanDataDirectory(false)
                .setPGStartupWait(Patience.LIMIT)
                .start();
    }

    private void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Another change each time: one that changes nothing needs no primary. */
    private Response put(ControlPlaneInstance replica) {
        return replica.admin().body(Map.of("displayName", "moved " + ++puts)).put("/v1/tenants/moved");
    }

    @Test
    void connectionsToAFormerPrimaryAreGivenUpForTheNewOne() throws Exception {
        int port = FreePorts.one();
        int other = FreePorts.one();
        EmbeddedPostgres first = postgres("first", port);
        try (PortSwitch name = new PortSwitch(port);
                ControlPlaneInstance replica = ControlPlaneInstance.start(
                        new Database("jdbc:postgresql://127.0.0.1:" + name.port() + "/postgres", "postgres", ""),
                        folder.resolve("log"))) {
            put(replica).then().statusCode(201);
            first.close();
            copy(folder.resolve("first"), folder.resolve("second"));
            Files.createFile(folder.resolve("first/standby.signal"));
            try (var _ = postgres("first", port);
                    EmbeddedPostgres primary = postgres("second", other)) {
                Response refused = await().atMost(Patience.LIMIT)
                        .until(() -> put(replica), answer -> answer.asString().contains("read-only"));
                refused.then()
                        .statusCode(503)
                        .header("Retry-After", "2")
                        .body("detail", containsString("nothing was changed"));

                name.leadTo(primary.getPort());

                await().atMost(Patience.LIMIT).until(() -> put(replica).statusCode() == 200);
            }
        }
    }
}
