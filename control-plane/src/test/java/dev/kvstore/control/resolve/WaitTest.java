package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait until an account is ready, or a job has ended. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class WaitTest extends RegisteredAccounts {
    /** More than the database's connections of admins. */
    private static final int MANY = 40;

    private static RequestSpecification admin() {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON);
    }

    private static Response waiting(String path) {
        return admin().queryParam("wait", "60s").get(path);
    }

    @Test
    void anAccountIsAnsweredOnceItIsReady() throws Exception {
        account("awaited", "var/lib/awaited");
        try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> answer = caller.submit(() -> waiting("/v1/accounts/awaited"));

            makeReady("awaited");

            answer.get()
                    .then()
                    .statusCode(200)
                    .body("ready", equalTo(true))
                    .header("ETag", equalTo(admin().get("/v1/accounts/awaited").header("ETag")));
        }
    }

    @Test
    void callsThatWaitHoldNoConnectionToTheDatabase() throws Exception {
        account("awaited-by-many", "var/lib/awaited-by-many");
        List<Future<Response>> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < MANY; i++) {
                answers.add(callers.submit(() -> waiting("/v1/accounts/awaited-by-many")));
            }

            put("/v1/tenants/made-meanwhile", Map.of()).then().statusCode(201);
            makeReady("awaited-by-many");

            for (Future<Response> answer : answers) {
                answer.get().then().statusCode(200).body("ready", equalTo(true));
            }
        }
    }

    @Test
    void whenTheTimeIsOverItIsAnsweredAsItIs() {
        account("never-ready", "var/lib/never-ready");

        admin().queryParam("wait", "1s")
                .get("/v1/accounts/never-ready")
                .then()
                .statusCode(200)
                .body("ready", equalTo(false));
    }

    @Test
    void nobodyWaitsForWhatDoesNotComeAnyMore() {
        account("deleted-while-awaited", "var/lib/deleted-while-awaited");
        delete("/v1/accounts/deleted-while-awaited");

        waiting("/v1/accounts/deleted-while-awaited").then().statusCode(200).body("state", equalTo("deleted"));
        waiting("/v1/accounts/nosuch-account").then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "61s", "30", "1m", "soon"})
    void whatIsNoTimeIsRefused(String time) {
        admin().queryParam("wait", time)
                .get("/v1/accounts/nosuch-account")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("wait"));
    }

    @Test
    void aWarmingIsAnsweredOnceItHasEnded() throws Exception {
        account("awaited-warming", "var/lib/awaited-warming");
        warming("w-awaited", "awaited-warming");
        try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> answer = caller.submit(() -> waiting("/v1/warmings/w-awaited"));

            admin().post("/v1/warmings/w-awaited/cancel").then().statusCode(200);

            answer.get().then().statusCode(200).body("state", equalTo("cancelled"));
        }
    }

    private static void warming(String id, String account) throws SQLException {
        execute("""
                insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                    requests_per_second, preheat, state, listing, created_at)
                values ('%s', '%s', 'customer', 'eu-1', 'eu-2', '{"all": true}', 65536, 1, 'STORAGE', 'PAUSED', true, now())
                """.formatted(id, account));
        assertThat(admin().get("/v1/warmings/" + id).<String>path("state")).isEqualTo("paused");
    }
}
