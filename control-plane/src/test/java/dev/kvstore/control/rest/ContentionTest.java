package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that rolls changes back in favour of others. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class ContentionTest {
    /** As {@link dev.kvstore.admin.change.ChangeLog} has it. */
    private static final long LOCK_OF_CHANGES = 0x6b76_6368_616e_6765L;

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String UNIQUE_VIOLATION = "23505";

    @BeforeEach
    @AfterEach
    void end() throws SQLException {
        execute("drop function if exists make_way cascade");
        execute("drop sequence if exists attempts");
    }

    /**
     * Changes of tenants so called fail so many times with a state of SQL. A sequence counts what is rolled back, too.
     */
    private static void failures(int count, String state) throws SQLException {
        execute("create sequence attempts");
        execute("create function make_way() returns trigger language plpgsql as $$ begin if nextval('attempts') <= "
                + count + " then raise exception 'others were first' using errcode = '" + state
                + "'; end if; return new; end $$");
        execute("create trigger make_way before insert or update on tenant for each row"
                + " when (new.display_name = 'contended') execute function make_way()");
    }

    private static void execute(String statement) throws SQLException {
        try (Connection connection = connection();
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }

    private static Connection connection() throws SQLException {
        Database database = TestDatabase.database();
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private static long attempts() throws SQLException {
        try (Connection connection = connection();
                Statement command = connection.createStatement();
                ResultSet row = command.executeQuery("select last_value from attempts")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void changesOfOneTenantLeaveHalfOfTheSlotsToOthers() throws Exception {
        RestAdmin.tenant("many-changes");
        RestAdmin.tenant("one-change");
        String many = TestIssuer.token(List.of("tenant-admin"), "many-changes");
        String one = TestIssuer.token(List.of("tenant-admin"), "one-change");
        List<Future<Integer>> answers = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                Connection connection = connection();
                Statement changing = connection.createStatement()) {
            changing.execute("select pg_advisory_lock(" + LOCK_OF_CHANGES + ")");
            for (int i = 0; i < 12; i++) {
                answers.add(clients.submit(() -> makeKey(many, "many-changes")));
            }
            await().atMost(Patience.LIMIT).until(() -> waitingChanges() == 6);
            answers.add(clients.submit(() -> makeKey(one, "one-change")));

            await().atMost(Patience.LIMIT).until(() -> waitingChanges() == 7);

            changing.execute("select pg_advisory_unlock(" + LOCK_OF_CHANGES + ")");
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(201);
            }
        }
    }

    private static int makeKey(String token, String tenant) {
        return RestAdmin.with(token).post("/v1/tenants/" + tenant + "/keys").statusCode();
    }

    private static int waitingChanges() throws SQLException {
        try (Connection connection = connection();
                Statement command = connection.createStatement();
                ResultSet row = command.executeQuery("""
                        select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
                        where l.locktype = 'advisory' and not l.granted and a.datname = current_database()""")) {
            row.next();
            return row.getInt(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION})
    void aChangeThatMadeWayForOthersIsMadeAgain(String state) throws SQLException {
        failures(3, state);
        String path = "/v1/tenants/made-way-" + state.toLowerCase(java.util.Locale.ROOT);

        put(path, Map.of("displayName", "contended")).then().statusCode(201).body("displayName", equalTo("contended"));

        assertThat(attempts()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION})
    void oneThatMakesWayAgainAndAgainIsAnsweredWithATimeToTryLater(String state) throws SQLException {
        failures(1_000, state);

        put("/v1/tenants/always-late", Map.of("displayName", "contended"))
                .then()
                .statusCode(503)
                .header("Retry-After", "1")
                .body("type", equalTo("urn:kvstore:problem:contention"))
                .body("detail", containsString("nothing was changed"));

        admin().get("/v1/tenants/always-late").then().statusCode(404);
        assertThat(attempts()).isEqualTo(4);
    }

    @Test
    void aPreconditionIsHeldAgainstWhatIsThereAtTheLastAttempt() throws SQLException {
        String tag = put("/v1/tenants/held-again", Map.of()).header("ETag");
        failures(2, SERIALIZATION_FAILURE);

        admin().header("If-Match", tag)
                .body(Map.of("displayName", "contended"))
                .put("/v1/tenants/held-again")
                .then()
                .statusCode(200);
        admin().header("If-Match", tag)
                .body(Map.of("displayName", "contended"))
                .put("/v1/tenants/held-again")
                .then()
                .statusCode(412)
                .body("type", equalTo("urn:kvstore:problem:precondition-failed"));
    }
}
