package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static dev.kvstore.control.rest.RestAdmin.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Refusals of callers are kept, for admins to read. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class RefusalsTest {
    private static Map<String, String> latest(String what) {
        return await().atMost(Patience.LIMIT).until(() -> kept(what), refusal -> !refusal.isEmpty());
    }

    private static Map<String, String> kept(String what) {
        return admin().queryParam("limit", 1000).get("/v1/refusals").<List<Map<String, String>>>path("items").stream()
                .filter(refusal -> what.equals(refusal.get("what")))
                .findFirst()
                .orElse(Map.of());
    }

    /** A refusal of somebody who is known. */
    private static void refuse(String tenant) {
        with(TestIssuer.token(List.of("operator"), null)).body(Map.of()).put("/v1/tenants/" + tenant);
    }

    @Test
    void anAdminOfOneTenantThatReachesForAnothersIsKeptWithItsName() {
        tenant("reacher");
        tenant("reached");

        with(TestIssuer.token(List.of("tenant-admin"), "reacher")).get("/v1/tenants/reached/keys");

        assertThat(latest("GET /v1/tenants/reached/keys"))
                .containsEntry("actor", "somebody@example.net")
                .containsEntry("role", "tenant-admin")
                .containsEntry("tenant", "reacher");
    }

    @Test
    void whatARoleDoesNotAllowIsKept() {
        with(TestIssuer.token(List.of("operator"), null)).body(Map.of()).put("/v1/tenants/by-operator");

        assertThat(latest("PUT /v1/tenants/by-operator")).containsEntry("role", "operator");
    }

    /**
     * One refusal of a stranger is kept every ten seconds once there were many, as other tests of this service make
     * them.
     */
    @Test
    void aTokenThatIsNotValidIsKept() {
        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            with("kva_guessed").get("/v1/tenants/guessed");
            assertThat(kept("GET /v1/tenants/guessed")).containsEntry("reason", "the token is not valid");
        });
    }

    @Test
    void aTenantsAdminSeesWhatItsOwnWereRefused() {
        tenant("own");
        String token = TestIssuer.token(List.of("tenant-admin"), "own");
        with(token).get("/v1/tenants/somebody-elses");
        latest("GET /v1/tenants/somebody-elses");

        with(token).get("/v1/refusals").then().statusCode(200).body("items.tenant", everyItem(equalTo("own")));
    }

    @Test
    void aTenantThatIsRefusedAllDayMakesNoOthersRefusalGo() {
        tenant("tireless");
        String viewer = TestIssuer.token(List.of("viewer"), "tireless");
        for (int i = 0; i < 1_100; i++) {
            with(viewer).get("/v1/accounts/tireless-" + i).then().statusCode(404);
        }
        refuse("after-the-tireless");
        latest("PUT /v1/tenants/after-the-tireless");

        List<Map<String, String>> kept = new ArrayList<>();
        String cursor = null;
        do {
            Response page = admin().queryParam("tenant", "tireless")
                    .queryParam("limit", 1000)
                    .queryParams(cursor == null ? Map.of() : Map.of("cursor", cursor))
                    .get("/v1/refusals");
            kept.addAll(page.path("items"));
            cursor = page.path("next");
        } while (cursor != null);
        assertThat(kept).hasSizeBetween(1_000, 1_050);
    }

    @Test
    void whatATokenHasInItKeepsNoRefusalFromBeingKept() {
        with(TestIssuer.token(List.of("tenant-admin"), "a\\u0000b")).get("/v1/tenants/of-nul");
        refuse("after-nul");

        assertThat(latest("PUT /v1/tenants/after-nul")).isNotEmpty();
    }

    @Test
    void aRefusalThatTheDatabaseNeverTakesKeepsNoOthersBack() throws Exception {
        execute("""
                create function refuse() returns trigger language plpgsql as
                $$ begin raise exception 'not this one' using errcode = '22000'; end $$""");
        execute("""
                create trigger refuse before insert on refusal for each row
                when (new.what = 'PUT /v1/tenants/poisonous') execute function refuse()""");
        try {
            refuse("poisonous");
            refuse("after-poison");

            assertThat(latest("PUT /v1/tenants/after-poison")).isNotEmpty();
        } finally {
            execute("drop trigger refuse on refusal");
            execute("drop function refuse");
        }
    }

    private static void execute(String statement) throws SQLException {
        Database database = TestDatabase.database();
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }
}
