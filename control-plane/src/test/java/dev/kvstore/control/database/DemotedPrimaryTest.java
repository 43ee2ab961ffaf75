package dev.kvstore.control.database;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.server.ControlPlane;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two PostgreSQL servers, of which the first becomes a standby, and the name that leads to the primary follows later. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(value = DemotedPrimaryTest.Pair.class, restrictToAnnotatedClass = true)
@QuarkusTestResource(TestIssuer.class)
class DemotedPrimaryTest {
    /** A primary behind a switch, and what it takes to demote it. */
    public static final class Pair implements QuarkusTestResourceLifecycleManager {
        private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

        @SuppressWarnings("NullAway.Init")
        private static Path folder;

        @SuppressWarnings("NullAway.Init")
        private static PortSwitch name;

        @SuppressWarnings("NullAway.Init")
        private static EmbeddedPostgres first;

        private static int port;
        private static int other;

        @Override
        public Map<String, String> start() {
            try {
                folder = Files.createTempDirectory("kv-pair");
                List<Integer> ports = List.of(FreePorts.one(), FreePorts.one());
                port = ports.getFirst();
                other = ports.getLast();
                first = postgres(folder.resolve("first"), port);
                name = new PortSwitch(port);
                OPEN.push(name);
                Database database =
                        new Database("jdbc:postgresql://127.0.0.1:" + name.port() + "/postgres", "postgres", "");
                Migrations.run(database);
                Map<String, String> settings = new HashMap<>(ControlPlane.settings(database));
                settings.put("kvstore.admin-token", TestDatabase.ADMIN_TOKEN);
                settings.put("kvstore.join-token", TestDatabase.JOIN_TOKEN);
                settings.put("quarkus.http.test-port", "0");
                settings.put("quarkus.grpc.server.test-port", "0");
                return settings;
            } catch (IOException | BadDatabaseException e) {
                throw new IllegalStateException("PostgreSQL cannot be started", e);
            }
        }

        private static EmbeddedPostgres postgres(Path data, int port) throws IOException {
            EmbeddedPostgres started = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPGStartupWait(Patience.LIMIT)
                    .start();
            OPEN.push(started);
            return started;
        }

        /** The first becomes a standby; a second one with the same data is the primary, to which no name leads yet. */
        static void failOver() throws IOException {
            first.close();
            copy(folder.resolve("first"), folder.resolve("second"));
            Files.createFile(folder.resolve("first/standby.signal"));
            var _ = postgres(folder.resolve("first"), port);
            var _ = postgres(folder.resolve("second"), other);
        }

        private static void copy(Path from, Path to) throws IOException {
            try (Stream<Path> all = Files.walk(from)) {
                for (Path path : all.toList()) {
                    Files.copy(
                            path, to.resolve(from.relativize(path)), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }

        static void nameTheNewPrimary() {
            name.leadTo(other);
        }

        @Override
        public void stop() {
            while (!OPEN.isEmpty()) {
                try {
                    OPEN.pop().close();
                } catch (Exception e) {
                    throw new IllegalStateException("it cannot be stopped", e);
                }
            }
        }
    }

    private static int puts;

    /** Another change each time: one that changes nothing needs no primary. */
    private static Response put() {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(Map.of("displayName", "moved " + ++puts))
                .put("/v1/tenants/moved");
    }

    @Test
    void connectionsToAFormerPrimaryAreGivenUpForTheNewOne() throws IOException {
        put().then().statusCode(201);
        Pair.failOver();
        Response refused = await().atMost(Patience.LIMIT)
                .until(DemotedPrimaryTest::put, answer -> answer.asString().contains("read-only"));
        refused.then().statusCode(503).header("Retry-After", "2").body("detail", containsString("nothing was changed"));

        Pair.nameTheNewPrimary();

        await().atMost(Patience.LIMIT).until(() -> put().statusCode() == 200);
    }
}
