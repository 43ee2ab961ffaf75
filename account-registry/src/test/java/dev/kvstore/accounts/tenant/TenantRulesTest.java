package dev.kvstore.accounts.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.admin.change.Affected;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants: the roles that may register and end them, all that ends with a tenant, and the changes that data planes hear of. */
@QuarkusTest
class TenantRulesTest extends RunningRegistry {
    private static Response tenant(String name, Map<String, ?> spec) {
        return put("/v1/tenants/" + name, spec);
    }

    @ParameterizedTest
    @CsvSource({"tenant-admin@bound, 403", "viewer@bound, 403", "viewer@*, 403", "operator, 403", "platform-admin, 200"
    })
    void onlyPlatformAdminsRegisterAndEndTenants(String caller, int status) {
        tenant("bound");

        as(caller).body(Map.of()).put("/v1/tenants/bound").then().statusCode(status);
        as(caller)
                .contentType("application/merge-patch+json")
                .body(Map.of("displayName", "x"))
                .patch("/v1/tenants/bound")
                .then()
                .statusCode(status);
        as(caller).delete("/v1/tenants/bound").then().statusCode(status == 200 ? 204 : status);
    }

    @Test
    void aTenantSeesItselfAndNoOther() {
        tenant("bound-seen");
        tenant("bound-unseen");

        as("viewer@bound-seen").get("/v1/tenants/bound-seen").then().statusCode(200);
        as("viewer@bound-seen")
                .get("/v1/tenants/bound-unseen")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no tenant bound-unseen, or it is not yours"));
        as("viewer@bound-seen").get("/v1/tenants").then().body("items.name", equalTo(List.of("bound-seen")));
        as("operator")
                .queryParam("limit", 1_000)
                .get("/v1/tenants")
                .then()
                .body("items.name", hasItem("bound-seen"))
                .body("items.name", hasItem("bound-unseen"));
        admin().get("/v1/tenants/bound-never")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no tenant bound-never"));
    }

    @Test
    void withoutADisplayNameItsNameIsShownAndWithoutAStateItIsActive() {
        tenant("bound-plain", Map.of("displayName", "A", "state", "suspended"));

        tenant("bound-plain", Map.of())
                .then()
                .statusCode(200)
                .body("displayName", equalTo("bound-plain"))
                .body("state", equalTo("active"));
    }

    @Test
    void aDisplayNameHas1To200Characters() {
        tenant("bound-named", Map.of("displayName", "n".repeat(200))).then().statusCode(201);
        for (String wrong : List.of("n".repeat(201), "a\u0085b", "\u007f")) {
            tenant("bound-named", Map.of("displayName", wrong))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("displayName"));
        }
    }

    @Test
    void aPutDoesNotDelete() {
        tenant("bound-put", Map.of("state", "deleted"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("state"))
                .body("errors[0].detail", equalTo("must be active or suspended; DELETE deletes"));
        admin().get("/v1/tenants/bound-put").then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a-b", "a123456789012345678901234567890123456789012345678901234567890zz"})
    void aNameIs1To63LettersDigitsAndHyphens(String name) {
        tenant(name, Map.of()).then().statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-a",
                "a-",
                "A",
                "a_b",
                "a.b",
                "a1234567890123456789012345678901234567890123456789012345678901234"
            })
    void anotherNameIsRefused(String name) {
        tenant(name, Map.of())
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("tenant"))
                .body("errors[0].detail", containsString("must be 1 to 63 of a-z"));
    }

    @Test
    void theSameAgainChangesNothingAndIsInNoLog() {
        String tag = tenant("bound-same", Map.of("displayName", "S")).header("ETag");
        clock.move(java.time.Duration.ofSeconds(1));

        tenant("bound-same", Map.of("displayName", "S")).then().statusCode(200).header("ETag", tag);

        audit("tenant", "bound-same").then().body("items.size()", equalTo(1));
    }

    @Test
    void itsAccountsAndKeysAreAskedForAgainWhenItIsSuspendedAndWhenItIsActiveAgain() throws Exception {
        tenant("bound-told");
        String id = id(key("bound-told"));
        readyAccount("told-account", "bound-told");
        Affected everything = new Affected(List.of(id), List.of("told-account"));

        assertThat(affected(() -> tenant("bound-told", Map.of("state", "suspended"))))
                .isEqualTo(everything);
        assertThat(affected(() -> tenant("bound-told", Map.of("state", "suspended", "displayName", "T"))))
                .isEqualTo(Affected.NONE);
        assertThat(affected(() -> tenant("bound-told", Map.of("state", "active"))))
                .isEqualTo(everything);
    }

    @Test
    void aTenantOfMoreNamesThanAChangeListsConcernsAllResources() throws Exception {
        tenant("bound-large");
        database().execute("""
                insert into api_key (id, tenant, label, sha256, created_at, version, lineage)
                select 'boundlarge' || lpad(i::text, 5, '0'), 'bound-large', '', sha256(i::text::bytea), now(), 0, ''
                from generate_series(1, 1001) i""");

        assertThat(affected(() -> tenant("bound-large", Map.of("state", "suspended"))))
                .isEqualTo(new Affected(List.of(), List.of(Affected.ALL)));
    }

    @Test
    void aTenantWithAccountsStaysAndItsKeysStayGood() {
        tenant("bound-busy");
        String id = id(key("bound-busy"));
        put("/v1/accounts/busy-1", account("bound-busy", replica("eu-1", "busy-1", "blocks")));

        admin().delete("/v1/tenants/bound-busy")
                .then()
                .statusCode(409)
                .body("detail", equalTo("bound-busy has accounts (1): delete them first"));

        admin().get("/v1/tenants/bound-busy").then().body("state", equalTo("active"));
        admin().get("/v1/tenants/bound-busy/keys/" + id)
                .then()
                .body("$", not(org.hamcrest.Matchers.hasKey("revokedAt")));
        audit("key", id).then().body("items.size()", equalTo(1));
        admin().delete("/v1/accounts/busy-1").then().statusCode(204);
        admin().delete("/v1/tenants/bound-busy").then().statusCode(204);
    }

    @Test
    void withATenantItsKeysEndEachWithAChangeOfItsOwn() {
        tenant("bound-ending");
        String one = id(key("bound-ending"));
        String other = id(key("bound-ending"));
        admin().delete("/v1/tenants/bound-ending/keys/" + other);

        assertThat(affected(() -> admin().delete("/v1/tenants/bound-ending")).keyIds())
                .contains(one);

        audit("key", one).then().body("items.action", equalTo(List.of("revoke", "create")));
        audit("key", other).then().body("items.action", equalTo(List.of("revoke", "create")));
        audit("tenant", "bound-ending")
                .then()
                .body("items[0].action", equalTo("delete"))
                .body("items[0].after.state", equalTo("deleted"));
    }

    @Test
    void aDeletedTenantIsNotDeletedAgainAndComesBackByAPut() {
        tenant("bound-back");
        admin().delete("/v1/tenants/bound-back").then().statusCode(204);

        admin().delete("/v1/tenants/bound-back").then().statusCode(404);
        admin().contentType("application/merge-patch+json")
                .body(Map.of("displayName", "x"))
                .patch("/v1/tenants/bound-back")
                .then()
                .statusCode(404)
                .body("detail", equalTo("it is deleted: a PUT makes it anew"));
        int version = admin().get("/v1/tenants/bound-back").path("version");
        admin().header("If-None-Match", "*")
                .body(Map.of())
                .put("/v1/tenants/bound-back")
                .then()
                .statusCode(201)
                .body("version", equalTo(version + 1))
                .body("state", equalTo("active"));
        audit("tenant", "bound-back").then().body("items[0].action", equalTo("create"));
    }

    @Test
    void ofConcurrentRegistrationsThatMustBeNewOneIsMade() throws Exception {
        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(i -> () -> admin().header("If-None-Match", "*")
                                .body(Map.of("displayName", "n" + i))
                                .put("/v1/tenants/bound-contested"))
                        .toList()))
                .containsOnly(201, 412)
                .containsOnlyOnce(201);
    }

    @Test
    void anAccountRegisteredWhileItsTenantIsDeletedKeepsTheTenantOrIsRefused() throws Exception {
        for (int i = 0; i < 5; i++) {
            String name = "bound-race-" + i;
            tenant(name);
            Map<String, ?> spec = account(name, replica("eu-1", name, "blocks"));

            List<Integer> statuses = statuses(
                    List.of(() -> put("/v1/accounts/" + name, spec), () -> admin().delete("/v1/tenants/" + name)));

            assertThat(statuses).isIn(List.of(201, 409), List.of(404, 204));
        }
    }

    @Test
    void aListOfAStateHasOnlyTenantsOfThatState() {
        tenant("bound-listed-1");
        tenant("bound-listed-2", Map.of("state", "suspended"));

        admin().queryParam("state", "suspended")
                .queryParam("limit", 1_000)
                .get("/v1/tenants")
                .then()
                .body("items.name", hasItem("bound-listed-2"))
                .body("items.name", not(hasItem("bound-listed-1")))
                .body("items.state", org.hamcrest.Matchers.everyItem(equalTo("suspended")));
    }
}
