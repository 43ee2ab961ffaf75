package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method that a path does not have is refused, with the methods that it has. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class MethodsTest {
    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "PATCH", "DELETE", "PUT"})
    void aMethodThatAPathDoesNotTakeIsAnsweredWithThoseThatItTakes(String method) {
        Response response = given().request(method, "/v1/tenants");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(response.jsonPath().getString("type")).isEqualTo("urn:kvstore:problem:method-not-allowed");
    }

    @Test
    void optionsTellsOfThePathAloneAndAsksForNoToken() {
        Response response = given().request("OPTIONS", "/v1/tenants/acme");

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.header("Allow")).isEqualTo("DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-Match", "If-None-Match"})
    void anEmptyPreconditionIsRefusedAndNotTakenForNone(String header) {
        RestAdmin.admin()
                .header(header, "")
                .body("{}")
                .put("/v1/tenants/empty-precondition")
                .then()
                .statusCode(400)
                .body("detail", containsString(header + " must not be empty"));
        RestAdmin.admin().get("/v1/tenants/empty-precondition").then().statusCode(404);
    }

    @Test
    void anEmptyParameterIsRefusedByName() {
        RestAdmin.admin()
                .get("/v1/purges?account=")
                .then()
                .statusCode(400)
                .body("detail", containsString("account must not be empty"));
    }

    @Test
    void aParameterThatAMethodDoesNotHaveIsRefusedWithThoseThatItHas() {
        RestAdmin.admin()
                .get("/v1/regions?limt=2")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("limt"))
                .body("errors[0].detail", endsWith("there are cursor, limit"));
        RestAdmin.admin()
                .body("{}")
                .put("/v1/tenants/parametrised?dryRun=true")
                .then()
                .statusCode(400)
                .body("errors[0].detail", endsWith("the path takes none"));
        RestAdmin.admin().get("/v1/tenants/parametrised").then().statusCode(404);
    }

    @Test
    void anEmptyBodyIsRefusedAsTheBody() {
        RestAdmin.admin()
                .put("/v1/tenants/empty-body")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("the body"))
                .body("errors[0].detail", equalTo("must be a JSON object"));
    }

    @Test
    void aFieldWithoutAValueIsLeftOut() {
        String page = RestAdmin.admin().get("/v1/regions").asString();

        assertThat(page).contains("\"items\"").doesNotContain("null").doesNotContain("\"next\"");
    }
}
