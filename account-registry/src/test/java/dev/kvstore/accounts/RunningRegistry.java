package dev.kvstore.accounts;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.oneOf;

import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeReader;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.postgres.ClassDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls of a registry that runs without a control plane, on a real PostgreSQL, by a clock that tests move. */
@QuarkusTestResource(RegistryDatabase.class)
public abstract class RunningRegistry {
    @Inject
    @SuppressWarnings("NullAway.Init")
    protected MovableClock clock;

    @Inject
    @SuppressWarnings("NullAway.Init")
    protected ChangeReader changes;

    /** The database of the registry, for what no call shows. */
    protected static ClassDatabase database() {
        return RegistryDatabase.database();
    }

    /** A caller with a role, such as {@code operator} or {@code tenant-admin@acme}. */
    protected static RequestSpecification as(String caller) {
        return given().header("Authorization", caller).contentType(ContentType.JSON);
    }

    /** A caller who may change everything. */
    protected static RequestSpecification admin() {
        return as("platform-admin");
    }

    protected static Response put(String path, Object body) {
        return admin().body(body).put(path);
    }

    /** Makes a tenant, unless it is there. */
    protected static void tenant(String name) {
        put("/v1/tenants/" + name, Map.of()).then().statusCode(oneOf(200, 201));
    }

    /** The storage of an account in a region, in a container that is to be proven. */
    protected static Map<String, Object> replica(String region, String host, String container) {
        return new HashMap<>(Map.of(
                "region",
                region,
                "endpoint",
                "https://" + host + ".blob.core.windows.net",
                "container",
                container,
                "credential",
                "managed-identity"));
    }

    /** The storage of an account in a region, for which an admin vouches. */
    protected static Map<String, Object> vouched(String region, String host, String container) {
        Map<String, Object> replica = replica(region, host, container);
        replica.put("vouched", true);
        return replica;
    }

    /** The body of an account with these storages. */
    protected static Map<String, Object> account(String tenant, Map<?, ?>... replicas) {
        return Map.of("tenant", tenant, "replicas", List.of(replicas));
    }

    /** The changes of a resource in the audit log, the latest first. */
    protected static Response audit(String kind, String name) {
        return admin().queryParam("kind", kind).queryParam("name", name).get("/v1/audit");
    }

    /** Makes a key of a tenant, and returns the whole key. */
    protected static String key(String tenant) {
        return admin().post("/v1/tenants/" + tenant + "/keys").path("key");
    }

    /** The id in a whole key. */
    protected static String id(String key) {
        return key.split("_", 3)[1];
    }

    /** Makes an account in eu-1 whose storage is ready. */
    protected static void readyAccount(String name, String tenant) throws SQLException {
        put("/v1/accounts/" + name, account(tenant, vouched("eu-1", name.toLowerCase(Locale.ROOT), "blocks")))
                .then()
                .statusCode(201);
        ready(name);
    }

    /** Makes each storage of an account ready, as a trial that went well does. */
    protected static void ready(String account) throws SQLException {
        database().execute("update replica set state = 'READY', proven = true where resource_name = '" + account + "'");
    }

    /** The keys and resources that data planes ask for again because of what was done. */
    protected Affected affected(Runnable done) {
        long before = changes.last();
        done.run();
        return changes.after(before, 1_000).stream()
                .map(change -> new Affected(change.keyIds(), change.resourceNames()))
                .reduce(Affected.NONE, Affected::with);
    }

    /** The statuses of calls that are made at the same time, in the order of the calls. */
    protected static List<Integer> statuses(List<Callable<Response>> calls) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Integer> statuses = new ArrayList<>();
            for (Future<Response> answer : callers.invokeAll(calls)) {
                statuses.add(answer.get().statusCode());
            }
            return statuses;
        }
    }
}
