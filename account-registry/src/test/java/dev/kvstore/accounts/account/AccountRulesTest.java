package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accounts: the roles that may register and change them, their versions, and the changes that data planes hear of. */
@QuarkusTest
class AccountRulesTest extends RunningRegistry {
    private static final String OWNER = "registrar";

    @BeforeEach
    void register() {
        tenant(OWNER);
        tenant("registrar-too");
    }

    private static Map<String, Object> spec(String name) {
        return new HashMap<>(Map.of("replicas", List.of(replica("eu-1", name, "blocks"))));
    }

    private static Response stored(String name) {
        return put("/v1/accounts/" + name, account(OWNER, replica("eu-1", name, "blocks")));
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201",
        "tenant-admin@registrar, 201",
        "tenant-admin@registrar-too, 404",
        "viewer@registrar, 403",
        "operator, 403",
        "viewer@*, 403"
    })
    void onlyAdminsOfTheOwnerRegister(String caller, int status) {
        String name = "registered-by-" + caller.replaceAll("[^a-z]", "-") + "x";

        as(caller)
                .body(account(OWNER, replica("eu-1", name, "blocks")))
                .put("/v1/accounts/" + name)
                .then()
                .statusCode(status);
    }

    @ParameterizedTest
    @CsvSource({
        "tenant-admin@registrar, 200, 204",
        "tenant-admin@registrar-too, 409, 404",
        "viewer@registrar, 403, 403",
        "operator, 403, 403"
    })
    void onlyAdminsOfTheOwnerChangeAndDelete(String caller, int changed, int deleted) {
        String name = "changed-by-" + caller.replaceAll("[^a-z]", "-") + "x";
        stored(name).then().statusCode(201);
        Map<String, Object> spec = spec(name);
        spec.put("avoidedRegions", List.of("us-1"));

        as(caller).body(spec).put("/v1/accounts/" + name).then().statusCode(changed);
        as(caller).delete("/v1/accounts/" + name).then().statusCode(deleted);
    }

    @Test
    void aTenantsAdminNeedNotNameItsTenantAndAPlatformAdminMust() {
        as("tenant-admin@" + OWNER)
                .body(spec("registered-own"))
                .put("/v1/accounts/registered-own")
                .then()
                .statusCode(201)
                .body("tenant", equalTo(OWNER));
        put("/v1/accounts/registered-unowned", spec("registered-unowned"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("tenant"))
                .body("errors[0].detail", equalTo("is missing"));
        // Of an account that is there, it is known.
        put("/v1/accounts/registered-own", spec("registered-own"))
                .then()
                .statusCode(200)
                .body("tenant", equalTo(OWNER));
    }

    @Test
    void anAccountKeepsItsOwner() {
        stored("registered-kept");

        put("/v1/accounts/registered-kept", account("registrar-too", replica("eu-1", "registered-kept", "blocks")))
                .then()
                .statusCode(409)
                .body("detail", equalTo("the name registered-kept is another tenant's, and stays so"));
    }

    @Test
    void aTenantThatDoesNotExistOrIsDeletedRegistersNothing() {
        tenant("registrar-deleted");
        admin().delete("/v1/tenants/registrar-deleted");

        for (String tenant : List.of("registrar-never", "registrar-deleted")) {
            put("/v1/accounts/registered-nobodys", account(tenant, replica("eu-1", "nobodys", "blocks")))
                    .then()
                    .statusCode(404)
                    .body("detail", equalTo("there is no tenant " + tenant));
        }
    }

    @Test
    void whatAStrangerAsksForIsAnsweredLikeWhatIsNotThere() {
        stored("registered-hidden");

        String theirs = as("viewer@registrar-too")
                .get("/v1/accounts/registered-hidden")
                .then()
                .statusCode(404)
                .extract()
                .asString();
        String none = as("viewer@registrar-too")
                .get("/v1/accounts/registered-absent")
                .then()
                .statusCode(404)
                .extract()
                .asString();

        assertThat(theirs)
                .isEqualTo(none.replace("registered-absent", "registered-hidden"))
                .contains("or it is not yours");
        admin().get("/v1/accounts/registered-absent")
                .then()
                .body("detail", equalTo("there is no account registered-absent"));
    }

    @Test
    void aTenantHasAsManyAccountsAsTheQuotaSaysAndDeletedOnesDoNotCount() throws Exception {
        tenant("registrar-full");
        database().execute("""
                insert into account (resource_name, tenant, home_region, allowed_regions, avoided_regions, state,
                    operations, bytes_per_second, created_at, updated_at, version)
                select 'full-' || i, 'registrar-full', 'eu-1', '{}', '{}',
                    case when i > 119 then 'DELETED' else 'ACTIVE' end, 0, 0, now(), now(), 0
                from generate_series(1, 200) i""");

        put("/v1/accounts/full-more-1", account("registrar-full", replica("eu-1", "full-more-1", "blocks")))
                .then()
                .statusCode(201);
        put("/v1/accounts/full-more-2", account("registrar-full", replica("eu-1", "full-more-2", "blocks")))
                .then()
                .statusCode(409)
                .body("detail", containsString("a tenant has at most 120 accounts"));
        put("/v1/accounts/full-200", account("registrar-full", replica("eu-1", "full-200", "blocks")))
                .then()
                .statusCode(409);
        put("/v1/accounts/full-1", account("registrar-full", replica("eu-1", "full-1", "blocks")))
                .then()
                .statusCode(200);
    }

    @Test
    void aChangeGoesUpByOneVersionAndMovesTheTimeOfTheChange() {
        int version = stored("registered-version").path("version");
        String made = admin().get("/v1/accounts/registered-version").path("createdAt");
        clock.move(java.time.Duration.ofSeconds(3));
        Map<String, Object> spec = spec("registered-version");
        spec.put("avoidedRegions", List.of("us-1"));

        put("/v1/accounts/registered-version", spec)
                .then()
                .statusCode(200)
                .body("version", equalTo(version + 1))
                .header("ETag", "\"" + (version + 1) + "\"")
                .body("createdAt", equalTo(made))
                .body("updatedAt", equalTo(clock.instant().toString()));
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        String tag = stored("registered-raced").header("ETag");
        Map<String, Object> spec = spec("registered-raced");
        spec.put("avoidedRegions", List.of("us-1"));
        put("/v1/accounts/registered-raced", spec).then().statusCode(200);

        admin().header("If-Match", tag)
                .body(spec("registered-raced"))
                .put("/v1/accounts/registered-raced")
                .then()
                .statusCode(412);
        admin().header("If-None-Match", "*")
                .body(spec("registered-raced"))
                .put("/v1/accounts/registered-raced")
                .then()
                .statusCode(412);
        admin().header("If-Match", tag)
                .delete("/v1/accounts/registered-raced")
                .then()
                .statusCode(412);
        admin().header("If-Match", tag)
                .body(Map.of("operations", 1, "bytesPerSecond", 1))
                .put("/v1/accounts/registered-raced/limits")
                .then()
                .statusCode(412);
        admin().header("If-Match", "*")
                .body(account(OWNER, replica("eu-1", "registered-raced-2", "blocks")))
                .put("/v1/accounts/registered-raced-2")
                .then()
                .statusCode(412);
        admin().get("/v1/accounts/registered-raced").then().body("avoidedRegions", equalTo(List.of("us-1")));
    }

    @Test
    void aNameIsRegisteredOnceHoweverManyAskAtOnce() throws Exception {
        List<Callable<Response>> calls = IntStream.range(0, 6)
                .<Callable<Response>>mapToObj(i -> () -> put(
                        "/v1/accounts/registered-contested",
                        account(i % 2 == 0 ? OWNER : "registrar-too", replica("eu-1", "contested-" + i, "blocks"))))
                .toList();

        List<Integer> statuses = statuses(calls);

        assertThat(statuses).containsOnlyOnce(201).contains(409).isSubsetOf(200, 201, 409);
    }

    @Test
    void theLogHasEachChangeWithItsAuthor() {
        as("tenant-admin@" + OWNER).body(spec("registered-logged")).put("/v1/accounts/registered-logged");
        put("/v1/accounts/registered-logged/limits", Map.of("operations", 3, "bytesPerSecond", 0));
        admin().delete("/v1/accounts/registered-logged").then().statusCode(204);

        audit("account", "registered-logged")
                .then()
                .body("items.action", equalTo(List.of("delete", "update", "create")))
                .body("items[2].actor", equalTo("tenant-admin@" + OWNER))
                .body("items[2].before", nullValue())
                .body("items[1].before.limits.operations", equalTo(0))
                .body("items[1].after.limits.operations", equalTo(3))
                .body("items[0].after.state", equalTo("deleted"));
    }

    @Test
    void dataPlanesAskAgainForAnAccountThatChanged() {
        assertThat(affected(() -> stored("registered-told")).resourceNames()).containsExactly("registered-told");
        assertThat(affected(() -> stored("registered-told")).resourceNames()).isEmpty();
        assertThat(affected(() -> put(
                                "/v1/accounts/registered-told/limits", Map.of("operations", 3, "bytesPerSecond", 0)))
                        .resourceNames())
                .containsExactly("registered-told");
        assertThat(affected(() -> admin().delete("/v1/accounts/registered-told"))
                        .resourceNames())
                .containsExactly("registered-told");
    }

    @ParameterizedTest
    @CsvSource({"tenant-admin@registrar, 403", "tenant-admin@registrar-too, 404", "operator, 403", "platform-admin, 200"
    })
    void onlyAPlatformAdminSetsLimits(String caller, int status) {
        stored("registered-limited");

        as(caller)
                .body(Map.of("operations", 3, "bytesPerSecond", 0))
                .put("/v1/accounts/registered-limited/limits")
                .then()
                .statusCode(status);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 200, ''",
        "100000, 1000000000000000, 200, ''",
        "100001, 0, 400, operations",
        "-1, 0, 400, operations",
        "0, 1000000000000001, 400, bytesPerSecond",
        "0, -1, 400, bytesPerSecond"
    })
    void limitsHaveBounds(long operations, long bytes, int status, String field) {
        stored("registered-bounded");

        Response answer = put(
                "/v1/accounts/registered-bounded/limits", Map.of("operations", operations, "bytesPerSecond", bytes));

        answer.then().statusCode(status);
        if (status == 400) {
            answer.then().body("errors[0].field", equalTo(field));
        }
    }

    @Test
    void aChangeOfAnAccountKeepsItsLimits() {
        stored("registered-limits");
        put("/v1/accounts/registered-limits/limits", Map.of("operations", 9, "bytesPerSecond", 8));
        Map<String, Object> spec = spec("registered-limits");
        spec.put("avoidedRegions", List.of("us-1"));

        put("/v1/accounts/registered-limits", spec).then().body("limits.operations", equalTo(9));
    }

    @Test
    void aDeletedAccountCannotBeDeletedLimitedOrPatched() {
        stored("registered-gone");
        admin().delete("/v1/accounts/registered-gone").then().statusCode(204);

        admin().delete("/v1/accounts/registered-gone").then().statusCode(404);
        put("/v1/accounts/registered-gone/limits", Map.of("operations", 1, "bytesPerSecond", 1))
                .then()
                .statusCode(404);
        admin().contentType("application/merge-patch+json")
                .body(Map.of("avoidedRegions", List.of("us-1")))
                .patch("/v1/accounts/registered-gone")
                .then()
                .statusCode(404)
                .body("detail", equalTo("it is deleted: a PUT makes it anew"));
        admin().post("/v1/accounts/registered-gone/probe").then().statusCode(404);
    }

    @Test
    void aPatchChangesOneFieldAndKeepsTheOthers() {
        Map<String, Object> spec = new HashMap<>(account(OWNER, replica("eu-1", "registered-patched", "blocks")));
        spec.put("maxOfflineSeconds", 60);
        String proof = put("/v1/accounts/registered-patched", spec).path("replicas[0].proof.content");

        admin().contentType("application/merge-patch+json")
                .body(Map.of("avoidedRegions", List.of("us-1")))
                .patch("/v1/accounts/registered-patched")
                .then()
                .statusCode(200)
                .body("avoidedRegions", equalTo(List.of("us-1")))
                .body("maxOfflineSeconds", equalTo(60))
                .body("replicas[0].proof.content", equalTo(proof));
        admin().contentType("application/merge-patch+json")
                .body("{\"maxOfflineSeconds\": null}")
                .patch("/v1/accounts/registered-patched")
                .then()
                .statusCode(200)
                .body("maxOfflineSeconds", equalTo(86_400))
                .body("avoidedRegions", equalTo(List.of("us-1")));
    }

    @Test
    void listsComeInPagesThatMeetAndShowATenantItsOwn() {
        tenant("registrar-pages");
        for (int i = 0; i < 5; i++) {
            put("/v1/accounts/paged-" + i, account("registrar-pages", replica("eu-1", "paged-" + i, "blocks")));
        }
        List<String> names = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            Response page = as("viewer@registrar-pages")
                    .queryParam("limit", 2)
                    .queryParam("cursor", cursor)
                    .get("/v1/accounts");
            names.addAll(page.path("items.resourceName"));
            cursor = page.path("next");
        }

        assertThat(names).containsExactly("paged-0", "paged-1", "paged-2", "paged-3", "paged-4");
    }

    @Test
    void aTenantCannotListTheAccountsOfAnother() {
        as("viewer@" + OWNER)
                .queryParam("tenant", "registrar-too")
                .get("/v1/accounts")
                .then()
                .statusCode(404);
    }

    @Test
    void aListOfARegionHasTheAccountsWithAStorageThere() {
        tenant("registrar-regions");
        put("/v1/accounts/in-eu", account("registrar-regions", replica("eu-1", "in-eu", "blocks")));
        put(
                "/v1/accounts/in-both",
                account(
                        "registrar-regions",
                        replica("eu-1", "in-both-eu", "blocks"),
                        replica("us-1", "in-both-us", "blocks")));
        put("/v1/accounts/in-us-deleted", account("registrar-regions", replica("us-1", "in-us-deleted", "blocks")));
        admin().delete("/v1/accounts/in-us-deleted");

        admin().queryParam("tenant", "registrar-regions")
                .queryParam("region", "us-1")
                .get("/v1/accounts")
                .then()
                .body("items.resourceName", equalTo(List.of("in-both", "in-us-deleted")));
        admin().queryParam("tenant", "registrar-regions")
                .queryParam("region", "us-1")
                .queryParam("state", "active")
                .get("/v1/accounts")
                .then()
                .body("items.resourceName", equalTo(List.of("in-both")))
                .body("items[0].replicas.region", equalTo(List.of("eu-1", "us-1")));
        admin().queryParam("state", "sleepy")
                .get("/v1/accounts")
                .then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("must be one of active, deleted"));
    }

    @Test
    void namesDifferByTheCaseOfTheirLetters() {
        stored("Registered.Case").then().statusCode(201);

        admin().get("/v1/accounts/registered.case").then().statusCode(404);
        put("/v1/accounts/registered.case", account(OWNER, replica("eu-1", "registered-lower", "blocks")))
                .then()
                .statusCode(201);
        admin().get("/v1/accounts/Registered.Case")
                .then()
                .body("replicas[0].endpoint", equalTo("https://registered.case.blob.core.windows.net"));
    }

    @ParameterizedTest
    @CsvSource({"a..b", "-a", "a-", "a b", "a/b"})
    void aNameThatIsNoneIsRefused(String name) {
        admin().body(account(OWNER, replica("eu-1", "unnamed", "blocks")))
                .put("/v1/accounts/{name}", name)
                .then()
                .statusCode(org.hamcrest.Matchers.oneOf(400, 404, 405));
        admin().get("/v1/accounts?tenant=" + OWNER + "&limit=1000")
                .then()
                .body("items.resourceName", not(org.hamcrest.Matchers.hasItem(name)));
    }
}
