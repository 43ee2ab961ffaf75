package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.with;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.blankOrNullString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller asks what its credential is good for. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class CallerTest {
    private static final String PATH = "/v1/whoami";

    @Test
    void aPlatformAdminSeesAndChangesAll() {
        admin().get(PATH)
                .then()
                .statusCode(200)
                .body("name", equalTo("local-admin"))
                .body("role", equalTo("platform-admin"))
                .body("$", not(hasKey("tenant")))
                .body("version", not(blankOrNullString()))
                .body("seesAll", equalTo(true))
                .body("changesAll", equalTo(true));
    }

    @Test
    void anOperatorAndAViewerOfEverythingSeeAllAndDoNotChangeAll() {
        for (String token :
                List.of(TestIssuer.token(List.of("operator"), null), TestIssuer.token(List.of("viewer"), "*"))) {
            with(token)
                    .get(PATH)
                    .then()
                    .statusCode(200)
                    .body("seesAll", equalTo(true))
                    .body("changesAll", equalTo(false));
        }
    }

    /** So that the audit log tells them apart. */
    @Test
    void aPersonWithANameOfTheServiceHasAnotherOne() {
        for (String name : List.of("local-admin", "control-plane")) {
            with(TestIssuer.named(name, List.of("operator")))
                    .get(PATH)
                    .then()
                    .statusCode(200)
                    .body("name", equalTo("oidc:" + name));
        }
    }

    @Test
    void aTenantsAdminIsToldItsTenant() {
        with(TestIssuer.token(List.of("tenant-admin"), "acme"))
                .get(PATH)
                .then()
                .statusCode(200)
                .body("name", equalTo("somebody@example.net"))
                .body("role", equalTo("tenant-admin"))
                .body("tenant", equalTo("acme"))
                .body("seesAll", equalTo(false))
                .body("changesAll", equalTo(false));
    }

    @Test
    void nobodyWithoutATokenOrARoleIsAnswered() {
        with("kva_wrong").get(PATH).then().statusCode(401);
        with(TestIssuer.token(List.of("janitor"), null)).get(PATH).then().statusCode(403);
    }

    @Test
    void withoutATokenThereIsNothing() {
        for (String token : List.of("", "Bearer kva_wrong", "Bearer ", "Basic YTpi", "Bearer nonsense")) {
            given().header("Authorization", token)
                    .get("/v1/tenants")
                    .then()
                    .statusCode(401)
                    .contentType("application/problem+json")
                    .header("WWW-Authenticate", "Bearer");
        }
    }
}
