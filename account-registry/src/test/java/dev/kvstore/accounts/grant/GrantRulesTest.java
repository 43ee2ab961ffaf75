package dev.kvstore.accounts.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Grants from one tenant to another: their contents, the roles that may give them, and their ends. */
@QuarkusTest
class GrantRulesTest extends RunningRegistry {
    private static final String OWNER = "granting-owner";
    private static final String GUEST = "granting-guest";

    @BeforeEach
    void register() {
        tenant(OWNER);
        tenant(GUEST);
    }

    private static void stored(String name) {
        put("/v1/accounts/" + name, account(OWNER, replica("eu-1", name, "blocks")))
                .then()
                .statusCode(201);
    }

    private static String path(String account, String grant) {
        return "/v1/accounts/" + account + "/grants/" + grant;
    }

    private static Map<String, Object> reading(String grantee) {
        return new HashMap<>(Map.of("grantee", grantee, "access", List.of("read")));
    }

    private static Response grant(String account, String name) {
        return put(path(account, name), reading(GUEST));
    }

    @Test
    void aGrantIsMadeChangedAndTakenBack() {
        stored("granted-life");
        Instant end = clock.instant().plus(Duration.ofDays(1));

        grant("granted-life", "g")
                .then()
                .statusCode(201)
                .body("resourceName", equalTo("granted-life"))
                .body("name", equalTo("g"))
                .body("grantee", equalTo(GUEST))
                .body("access", equalTo(List.of("read")))
                .body("keyId", nullValue())
                .body("partition", nullValue())
                .body("expiresAt", nullValue());
        put(
                        path("granted-life", "g"),
                        Map.of(
                                "grantee",
                                GUEST,
                                "access",
                                List.of("write"),
                                "partition",
                                "p",
                                "expiresAt",
                                end.toString()))
                .then()
                .statusCode(200)
                .body("access", equalTo(List.of("write")))
                .body("partition", equalTo("p"))
                .body("expiresAt", equalTo(end.toString()));
        admin().delete(path("granted-life", "g")).then().statusCode(204);
        admin().get(path("granted-life", "g")).then().statusCode(404).body("detail", equalTo("there is no grant g"));
    }

    @ParameterizedTest
    @CsvSource({
        "tenant-admin@granting-owner, 201",
        "platform-admin, 201",
        "tenant-admin@granting-guest, 404",
        "viewer@granting-owner, 403",
        "operator, 403",
        "viewer@*, 403"
    })
    void onlyAdminsOfTheOwnerGrant(String caller, int status) {
        stored("granted-by-" + caller.replaceAll("[^a-z]", "-") + "x");
        String path = path("granted-by-" + caller.replaceAll("[^a-z]", "-") + "x", "g");

        as(caller).body(reading(GUEST)).put(path).then().statusCode(status);
        put(path, reading(GUEST));
        as(caller).delete(path).then().statusCode(status == 201 ? 204 : status);
    }

    @Test
    void anOwnerSeesItsGrantsAndAGranteeSeesWhatItReceived() {
        stored("granted-seen");
        grant("granted-seen", "g");

        as("viewer@" + OWNER).get(path("granted-seen", "g")).then().statusCode(200);
        as("viewer@" + GUEST).get(path("granted-seen", "g")).then().statusCode(404);
        as("viewer@" + GUEST)
                .get("/v1/tenants/" + GUEST + "/grants")
                .then()
                .statusCode(200)
                .body("items.find { it.resourceName == 'granted-seen' }.name", equalTo("g"));
        as("viewer@" + OWNER)
                .get("/v1/tenants/" + GUEST + "/grants")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no tenant " + GUEST + ", or it is not yours"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grantee   | granting-never  | must be a tenant that is registered",
                "grantee   | granting-owner  | must be another tenant: the owner may do everything",
                "grantee   | No Tenant       | must be 1 to 63 of a-z",
                "keyId     | nosuchkeyhere   | must be a key of the grantee",
                "partition | ''              | must have 1 to 255 characters, none of them control",
                "expiresAt | 2020-01-01T00:00:00Z | must be in the future, and not after the year 9999"
            })
    void aWrongFieldIsNamedWithItsRule(String field, String value, String rule) {
        tenant(OWNER);
        put("/v1/accounts/granted-wrong", account(OWNER, replica("eu-1", "granted-wrong", "blocks")));
        Map<String, Object> spec = reading(GUEST);
        spec.put(field, value);

        put(path("granted-wrong", "g"), spec)
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo(field))
                .body("errors[0].detail", containsString(rule));
        admin().get(path("granted-wrong", "g")).then().statusCode(404);
    }

    @Test
    void aGrantNamesAKeyOfItsGranteeAndNotOfAnother() {
        stored("granted-keyed");
        Map<String, Object> spec = reading(GUEST);
        spec.put("keyId", id(key(OWNER)));
        put(path("granted-keyed", "g"), spec).then().statusCode(400).body("errors[0].field", equalTo("keyId"));

        String named = id(key(GUEST));
        spec.put("keyId", named);
        put(path("granted-keyed", "g"), spec).then().statusCode(201).body("keyId", equalTo(named));
    }

    @Test
    void aDeletedTenantReceivesNothing() {
        stored("granted-to-deleted");
        tenant("granting-deleted");
        admin().delete("/v1/tenants/granting-deleted").then().statusCode(204);

        put(path("granted-to-deleted", "g"), reading("granting-deleted"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("grantee"));
    }

    @Test
    void aDeletedAccountIsGrantedToNobody() {
        stored("granted-deleted");
        admin().delete("/v1/accounts/granted-deleted").then().statusCode(204);

        grant("granted-deleted", "g")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no account granted-deleted"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255})
    void aPartitionHasUpTo255Characters(int length) {
        stored("granted-partition-" + length);
        Map<String, Object> spec = reading(GUEST);
        spec.put("partition", "p".repeat(length));

        put(path("granted-partition-" + length, "g"), spec).then().statusCode(201);

        spec.put("partition", "p".repeat(256));
        put(path("granted-partition-" + length, "g"), spec).then().statusCode(400);
    }

    @Test
    void theSameGrantAgainChangesNothing() {
        stored("granted-same");
        String tag = grant("granted-same", "g").header("ETag");

        assertThat(affected(() -> grant("granted-same", "g")).resourceNames()).isEmpty();

        assertThat(admin().get(path("granted-same", "g")).header("ETag")).isEqualTo(tag);
        audit("grant", "granted-same/g").then().body("items.size()", equalTo(1));
    }

    @Test
    void dataPlanesAskAgainForAnAccountWhoseGrantsChange() {
        stored("granted-told");

        assertThat(affected(() -> grant("granted-told", "g")).resourceNames()).containsExactly("granted-told");
        assertThat(affected(() -> admin().delete(path("granted-told", "g"))).resourceNames())
                .containsExactly("granted-told");
    }

    @Test
    void theLogSaysWhoGaveWhatToWhomAndThatItWasTakenBack() {
        stored("granted-logged");
        as("tenant-admin@" + OWNER).body(reading(GUEST)).put(path("granted-logged", "g"));
        admin().delete(path("granted-logged", "g"));

        audit("grant", "granted-logged/g")
                .then()
                .body("items.action", equalTo(List.of("revoke", "create")))
                .body("items.tenant", equalTo(List.of(OWNER, OWNER)))
                .body("items[1].actor", equalTo("tenant-admin@" + OWNER))
                .body("items[1].after.grantee", equalTo(GUEST))
                .body("items[0].before.grantee", equalTo(GUEST))
                .body("items[0].after", nullValue());
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        stored("granted-raced");
        String tag = grant("granted-raced", "g").header("ETag");
        put(path("granted-raced", "g"), Map.of("grantee", GUEST, "access", List.of("write")));

        admin().header("If-Match", tag)
                .body(reading(GUEST))
                .put(path("granted-raced", "g"))
                .then()
                .statusCode(412);
        admin().header("If-None-Match", "*")
                .body(reading(GUEST))
                .put(path("granted-raced", "g"))
                .then()
                .statusCode(412);
        admin().header("If-Match", tag)
                .delete(path("granted-raced", "g"))
                .then()
                .statusCode(412);
        admin().get(path("granted-raced", "g")).then().body("access", equalTo(List.of("write")));
    }

    @Test
    void aGrantThatIsMadeAnewHasAVersionThatNoneHadBefore() {
        stored("granted-anew");
        String tag = grant("granted-anew", "g").header("ETag");
        admin().delete(path("granted-anew", "g"));
        clock.move(Duration.ofMillis(1));

        assertThat(grant("granted-anew", "g").header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void theQuotaHoldsHoweverManyAskAtOnce() throws Exception {
        stored("granted-crowd");

        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(i -> () -> grant("granted-crowd", "g" + i))
                        .toList()))
                .filteredOn(status -> status == 201)
                .hasSize(5);
        // One that is there is none more.
        String known = admin().get("/v1/accounts/granted-crowd/grants").path("items[0].name");
        put(path("granted-crowd", known), Map.of("grantee", GUEST, "access", List.of("write")))
                .then()
                .statusCode(200);
    }

    @Test
    void listsOfAnAccountComeInPagesByName() {
        stored("granted-pages");
        for (int i = 0; i < 5; i++) {
            grant("granted-pages", "g" + (4 - i));
        }

        assertThat(names("/v1/accounts/granted-pages/grants", "name")).containsExactly("g0", "g1", "g2", "g3", "g4");
    }

    @Test
    void listsOfAGranteeComeInPagesByAccountAndName() {
        tenant("granting-many");
        for (String account : List.of("granted-b", "granted-a.x", "granted-a")) {
            stored(account);
            put(path(account, "g2"), reading("granting-many"));
            put(path(account, "g1"), reading("granting-many"));
        }

        List<String> accounts = names("/v1/tenants/granting-many/grants", "resourceName");
        assertThat(accounts)
                .hasSize(6)
                .containsSubsequence("granted-a", "granted-a", "granted-b", "granted-b")
                .contains("granted-a.x");
        assertThat(names("/v1/tenants/granting-many/grants", "name"))
                .containsExactly("g1", "g2", "g1", "g2", "g1", "g2");
    }

    /** A field of all items of a list that is read in pages of two. */
    private static List<String> names(String list, String field) {
        List<String> names = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            Response page =
                    admin().queryParam("limit", 2).queryParam("cursor", cursor).get(list);
            List<String> items = page.path("items." + field);
            assertThat(items).hasSizeLessThanOrEqualTo(2);
            names.addAll(items);
            cursor = page.path("next");
        }
        return names;
    }

    @Test
    void aPatchChangesOneFieldAndKeepsTheOthers() {
        stored("granted-patched");
        Map<String, Object> spec = reading(GUEST);
        spec.put("partition", "p");
        put(path("granted-patched", "g"), spec);

        admin().contentType("application/merge-patch+json")
                .body(Map.of("access", List.of("read", "write")))
                .patch(path("granted-patched", "g"))
                .then()
                .statusCode(200)
                .body("access", equalTo(List.of("read", "write")))
                .body("partition", equalTo("p"));
        admin().contentType("application/merge-patch+json")
                .body("{\"partition\": null}")
                .patch(path("granted-patched", "g"))
                .then()
                .statusCode(200)
                .body("partition", nullValue())
                .body("grantee", equalTo(GUEST));
    }

    @Test
    void withItsGranteeAGrantEndsAndWithItsAccountToo() throws Exception {
        stored("granted-ending");
        tenant("granting-ending");
        put(path("granted-ending", "one"), reading("granting-ending"));
        grant("granted-ending", "two");

        assertThat(affected(() -> admin().delete("/v1/tenants/granting-ending")).resourceNames())
                .contains("granted-ending");
        admin().get(path("granted-ending", "one")).then().statusCode(404);
        audit("grant", "granted-ending/one").then().body("items[0].action", equalTo("revoke"));
        admin().get(path("granted-ending", "two")).then().statusCode(200);

        admin().delete("/v1/accounts/granted-ending").then().statusCode(204);
        audit("grant", "granted-ending/two").then().body("items[0].action", equalTo("revoke"));
        assertThat(database().number("select count(*) from account_grant where resource_name = 'granted-ending'"))
                .isZero();
    }
}
