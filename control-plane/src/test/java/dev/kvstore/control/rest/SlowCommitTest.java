package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that takes longer to commit than the control plane waits for it, and commits all the same. */
@Tag("slow")
@QuarkusTest
@TestProfile(SlowCommitTest.Impatient.class)
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class SlowCommitTest {
    private static final int PATIENCE_SECONDS = 5;

    /**
     * Waits for the database for less long than usual; and that does not look whether anybody waits, as it does not for
     * a disk.
     */
    public static final class Impatient implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.datasource.jdbc.additional-jdbc-properties.socketTimeout",
                    Integer.toString(PATIENCE_SECONDS),
                    "quarkus.datasource.jdbc.new-connection-sql",
                    "set client_connection_check_interval = 0");
        }
    }

    @BeforeEach
    void slowDown() throws SQLException {
        tenant("patient");
        execute("create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep("
                + (PATIENCE_SECONDS + 2) + "); return null; end $$");
        execute("""
                create constraint trigger sleep after insert on api_key deferrable initially deferred for each row
                when (new.label like 'slow%') execute function sleep()""");
        execute("""
                create constraint trigger sleep after insert on tenant deferrable initially deferred for each row
                when (new.display_name = 'slow') execute function sleep()""");
    }

    @AfterEach
    void hurryUp() throws SQLException {
        execute("drop function sleep cascade");
    }

    private static void execute(String statement) throws SQLException {
        Database database = TestDatabase.database();
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }

    @Test
    void aKeyIsShownThatWasMadeAfterAll() {
        Response made = admin().body(Map.of("label", "slow")).post("/v1/tenants/patient/keys");

        made.then().statusCode(201).body("key", matchesPattern("kv_[a-z0-9]{12}_[A-Za-z0-9_-]{43}"));
        Response next = admin().body(Map.of()).post("/v1/tenants/patient/keys/" + made.path("id") + "/rotate");
        next.then().statusCode(201).body("key", matchesPattern("kv_[a-z0-9]{12}_[A-Za-z0-9_-]{43}"));
        assertThat(admin().get("/v1/tenants/patient/keys").<Integer>path("items.size()"))
                .isEqualTo(2);
    }

    @Test
    void aKeyThatWasAskedForWithAnIdempotencyKeyIsShownWhenItIsAskedForAgain() {
        tenant("persistent");
        String path = "/v1/tenants/persistent/keys";
        Callable<Response> request = () -> admin().header("Idempotency-Key", "slow-1")
                .body(Map.of("label", "slow"))
                .post(path);
        admin().header("Idempotency-Key", "slow-1")
                .body(Map.of("label", "slow"))
                .post(path)
                .then()
                .statusCode(503)
                .body("type", equalTo("urn:kvstore:problem:unknown"));

        Response again = await().atMost(Patience.LIMIT).until(request, answer -> answer.statusCode() == 201);

        again.then()
                .header("Idempotency-Replayed", "true")
                .body("key", matchesPattern("kv_[a-z0-9]{12}_[A-Za-z0-9_-]{43}"));
        assertThat(admin().get(path).<Integer>path("items.size()")).isEqualTo(1);
    }

    @Test
    void whatIsNotKnownToBeDoneIsNotSaidToBeOrNotToBe() {
        put("/v1/tenants/unhurried", Map.of("displayName", "slow"))
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:kvstore:problem:unknown"));

        await().atMost(Patience.LIMIT)
                .until(() -> admin().get("/v1/tenants/unhurried").statusCode() == 200);
    }
}
