package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.region;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static dev.kvstore.control.rest.RestAdmin.with;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A 404 says whether the caller would see the thing if it were there. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class VisibleTest {
    private final String ofMine = TestIssuer.token(List.of("tenant-admin"), "seer");

    @BeforeEach
    void register() {
        tenant("seer");
        tenant("unseen");
        region("eu-1");
        for (String owner : List.of("seer", "unseen")) {
            put(
                    "/v1/accounts/visible-of-" + owner,
                    RestAdmin.account(owner, RestAdmin.replica("eu-1", "visible-" + owner, "blocks")));
        }
    }

    private static void notFound(Response response, boolean visible) {
        response.then()
                .statusCode(404)
                .body("visible", equalTo(visible))
                .body("detail", visible ? not(containsString("not yours")) : containsString("or it is not yours"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/tenants/nosuch",
                "/v1/tenants/seer/keys/nosuch",
                "/v1/accounts/nosuch",
                "/v1/accounts/visible-of-seer/grants/nosuch",
                "/v1/accounts/nosuch/heat",
                "/v1/routes/nosuch",
                "/v1/regions/nosuch",
                "/v1/clusters/nosuch",
                "/v1/clusters/nosuch/processes",
                "/v1/warmings/nosuch",
                "/v1/purges/nosuch"
            })
    void whoSeesAllWouldSeeIt(String path) {
        notFound(admin().get(path), true);
        notFound(with(TestIssuer.token(List.of("viewer"), "*")).get(path), true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/tenants/seer/keys/nosuch",
                "/v1/accounts/visible-of-seer/grants/nosuch",
                "/v1/regions/nosuch"
            })
    void aTenantWouldSeeWhatIsBelowItsOwn(String path) {
        notFound(with(ofMine).get(path), true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/tenants/nosuch",
                "/v1/tenants/unseen",
                "/v1/tenants/unseen/keys",
                "/v1/accounts/nosuch",
                "/v1/accounts/visible-of-unseen",
                "/v1/accounts/visible-of-unseen/grants/nosuch",
                "/v1/routes/visible-of-unseen",
                "/v1/warmings/nosuch",
                "/v1/purges/nosuch"
            })
    void aTenantIsNotToldOfAllElse(String path) {
        notFound(with(ofMine).get(path), false);
    }

    @Test
    void aDeletedAccountIsReadByItsOwnerAndNoLongerChanged() {
        String path = "/v1/accounts/visible-deleted";
        put(path, RestAdmin.account("seer", RestAdmin.replica("eu-1", "visible-deleted", "blocks")));
        with(ofMine).delete(path).then().statusCode(204);

        with(ofMine).get(path).then().statusCode(200).body("state", equalTo("deleted"));
        notFound(with(ofMine).delete(path), true);
        notFound(with(TestIssuer.token(List.of("tenant-admin"), "unseen")).delete(path), false);
    }

    @Test
    void ofAPathThatTheApiDoesNotHaveNothingIsSaid() {
        admin().get("/v1/nosuch").then().statusCode(404).body("$", not(hasKey("visible")));
        admin().get("/v1/tenants/NOSUCH").then().statusCode(400).body("$", not(hasKey("visible")));
    }
}
