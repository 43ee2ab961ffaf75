package dev.kvstore.accounts.grant;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class GrantsTest extends RunningRegistry {
    @BeforeEach
    void register() {
        tenant("customer");
        tenant("provider");
        put("/v1/accounts/customers", account("customer", replica("eu-1", "customers", "blocks")));
    }

    @Test
    void anOwnerLetsAnotherTenantUseAnAccount() {
        put("/v1/accounts/customers/grants/provider", Map.of("grantee", "provider", "access", List.of("read", "write")))
                .then()
                .statusCode(201)
                .body("access", hasItems("read", "write"));

        admin().get("/v1/tenants/provider/grants").then().body("items.resourceName", hasItem("customers"));
        admin().get("/v1/accounts/customers/grants").then().body("items.name", hasItem("provider"));
        admin().delete("/v1/accounts/customers/grants/provider").then().statusCode(204);
        admin().get("/v1/tenants/provider/grants").then().body("items.resourceName", not(hasItem("customers")));
    }

    @Test
    void whatIsWrongIsNamed() {
        wrong(Map.of("grantee", "nobody", "access", List.of("read")), "grantee");
        wrong(Map.of("grantee", "customer", "access", List.of("read")), "grantee");
        wrong(Map.of("grantee", "provider", "access", List.of()), "access");
        wrong(Map.of("grantee", "provider", "access", List.of("read"), "keyId", "nosuchkey"), "keyId");
        wrong(
                Map.of("grantee", "provider", "access", List.of("read"), "expiresAt", "2020-01-01T00:00:00Z"),
                "expiresAt");
        wrong(Map.of("grantee", "provider", "access", List.of("read"), "partition", ""), "partition");
    }

    private static void wrong(Map<?, ?> spec, String field) {
        put("/v1/accounts/customers/grants/wrong", spec).then().statusCode(400).body("errors[0].field", equalTo(field));
    }

    @Test
    void aTenantGivesAnotherOneSoManyGrantsOverAllItsAccounts() throws SQLException {
        tenant("giver");
        tenant("given");
        for (String name : List.of("given-1", "given-2")) {
            put("/v1/accounts/" + name, account("giver", replica("eu-1", name, "blocks")));
        }
        database().execute("""
                insert into account_grant (resource_name, name, grantee, reads, writes, created_at, version)
                select 'given-1', 'g' || g, 'given', true, false, now(), 1 from generate_series(1, 10000) g""");

        put("/v1/accounts/given-2/grants/more", Map.of("grantee", "given", "access", List.of("read")))
                .then()
                .statusCode(409)
                .body("detail", containsString("a tenant gives another one at most 10000 grants"));
        put("/v1/accounts/given-2/grants/more", Map.of("grantee", "provider", "access", List.of("read")))
                .then()
                .statusCode(201);
        put("/v1/accounts/given-2/grants/more", Map.of("grantee", "given", "access", List.of("read")))
                .then()
                .statusCode(409);
        put("/v1/accounts/given-1/grants/g1", Map.of("grantee", "given", "access", List.of("write")))
                .then()
                .statusCode(200);
        admin().delete("/v1/tenants/given").then().statusCode(204);
    }

    @Test
    void aPartitionsNameIsKeptAsItIsOrRefused() {
        String body = "{\"grantee\": \"provider\", \"access\": [\"read\"], \"partition\": \"%s\"}";
        for (String half : List.of("a\\ud800", "\\udc00\\ud800", "\\ud800x")) {
            put("/v1/accounts/customers/grants/half", body.formatted(half))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("partition"));
        }
        put("/v1/accounts/customers/grants/whole", body.formatted("\\ud83d\\udca9"))
                .then()
                .statusCode(201)
                .body("partition", equalTo("\ud83d\udca9"));
        admin().delete("/v1/accounts/customers/grants/whole").then().statusCode(204);
    }
}
