package dev.kvstore.accounts.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class TenantsTest extends RunningRegistry {
    @Test
    void aTenantIsRegisteredAndRead() {
        put("/v1/tenants/acme", Map.of("displayName", "ACME GmbH"))
                .then()
                .statusCode(201)
                .header("ETag", "\"0\"")
                .body("name", equalTo("acme"))
                .body("displayName", equalTo("ACME GmbH"))
                .body("state", equalTo("active"));

        admin().get("/v1/tenants/acme")
                .then()
                .statusCode(200)
                .header("ETag", "\"0\"")
                .body("version", equalTo(0));
    }

    @Test
    void theSamePutAgainLeavesTheTenantAsItIs() {
        put("/v1/tenants/twice", Map.of("displayName", "Twice"));

        put("/v1/tenants/twice", Map.of("displayName", "Twice"))
                .then()
                .statusCode(200)
                .body("displayName", equalTo("Twice"));
    }

    @Test
    void aLostRaceIsToldByItsPrecondition() {
        String tag = put("/v1/tenants/raced", Map.of()).header("ETag");
        admin().header("If-Match", tag)
                .body(Map.of("displayName", "one"))
                .put("/v1/tenants/raced")
                .then()
                .statusCode(200);

        admin().header("If-Match", tag)
                .body(Map.of("displayName", "two"))
                .put("/v1/tenants/raced")
                .then()
                .statusCode(412)
                .contentType("application/problem+json")
                .body("detail", containsString("read it again"));
    }

    @Test
    void aTenantThatMustBeNewIsNot() {
        put("/v1/tenants/old", Map.of());

        admin().header("If-None-Match", "*")
                .body(Map.of())
                .put("/v1/tenants/old")
                .then()
                .statusCode(412)
                .body("detail", containsString("exists already"));
    }

    @Test
    void ofConcurrentChangesOfOneVersionExactlyOneWins() throws Exception {
        String tag = put("/v1/tenants/contested", Map.of()).header("ETag");
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Response>> answers = callers.invokeAll(IntStream.range(0, 8)
                    .mapToObj(i -> (Callable<Response>) () -> admin().header("If-Match", tag)
                            .body(Map.of("displayName", "n" + i))
                            .put("/v1/tenants/contested"))
                    .toList());
            for (Future<Response> answer : answers) {
                statuses.add(answer.get().statusCode());
            }
        }

        assertThat(statuses).containsOnly(200, 412).containsOnlyOnce(200);
    }

    @Test
    void listsComeInPagesThatMeet() {
        for (int i = 0; i < 5; i++) {
            put("/v1/tenants/page-" + i, Map.of());
        }
        List<String> names = new ArrayList<>();
        String cursor = "";
        do {
            Response page =
                    admin().queryParam("cursor", cursor).queryParam("limit", 2).get("/v1/tenants");
            names.addAll(page.path("items.name"));
            cursor = page.path("next");
        } while (cursor != null);

        assertThat(names).isSorted().doesNotHaveDuplicates().contains("page-0", "page-1", "page-2", "page-3", "page-4");
    }

    @Test
    void aDeletedTenantStaysVisibleAndItsNameTaken() {
        put("/v1/tenants/gone", Map.of());

        admin().delete("/v1/tenants/gone").then().statusCode(204);

        admin().get("/v1/tenants/gone").then().statusCode(200).body("state", equalTo("deleted"));
        admin().queryParam("state", "deleted").get("/v1/tenants").then().body("items.name", hasItems("gone"));
    }

    @Test
    void everyChangeIsInTheAuditLogWithBeforeAndAfter() {
        put("/v1/tenants/audited", Map.of("displayName", "one"));
        put("/v1/tenants/audited", Map.of("displayName", "two"));

        admin().queryParam("kind", "tenant")
                .queryParam("name", "audited")
                .get("/v1/audit")
                .then()
                .statusCode(200)
                .body("items.size()", equalTo(2))
                .body("items[0].action", equalTo("update"))
                .body("items[0].actor", equalTo("platform-admin"))
                .body("items[0].before.displayName", equalTo("one"))
                .body("items[0].after.displayName", equalTo("two"))
                .body("items[1].action", equalTo("create"))
                .body("items[1].before", nullValue());
    }

    @Test
    void whatIsWrongIsNamed() {
        admin().body("{\"displayNme\": \"x\"}")
                .put("/v1/tenants/wrong")
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].field", equalTo("displayNme"));
        put("/v1/tenants/UPPER", Map.of()).then().statusCode(400).body("errors[0].field", equalTo("tenant"));
        put("/v1/tenants/wrong", Map.of("displayName", ""))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("displayName"));
        put("/v1/tenants/wrong", Map.of("state", "sleepy"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("state"));
        admin().queryParam("limit", "many")
                .get("/v1/tenants")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("limit"));
        admin().queryParam("state", "many")
                .get("/v1/tenants")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("state"));
        admin().queryParam("cursor", "???")
                .get("/v1/tenants")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("cursor"));
    }
}
