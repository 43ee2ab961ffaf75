package dev.kvstore.clusters;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.oneOf;

import dev.kvstore.admin.change.ChangeReader;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.lease.Join;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.lease.Registration;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.postgres.ClassDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls of a registry that runs without a control plane, on a real PostgreSQL, by a clock that tests move. */
@QuarkusTestResource(RegistryDatabase.class)
public abstract class RunningRegistry {
    /** The capacity of data planes that join. */
    protected static final Capacity CAPACITY = new Capacity(1_000, 10, 20, 30, 4);

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

    /** Makes a region, unless it is there. */
    protected static void region(String name) {
        put("/v1/regions/" + name, Map.of()).then().statusCode(oneOf(200, 201));
    }

    /** Makes an active cluster and its region, unless they are there. */
    protected static void cluster(String region, String name) {
        region(region);
        put("/v1/clusters/" + name, Map.of("region", region, "state", "active"))
                .then()
                .statusCode(oneOf(200, 201));
    }

    /** Has a data plane join, and returns its lease. */
    protected UUID join(String cluster, String process, String address) throws SQLException {
        Join join = new Leases(database().source(), clock)
                .join(new Registration(
                        cluster,
                        process,
                        UUID.randomUUID().toString(),
                        address,
                        "remote." + address,
                        null,
                        CAPACITY,
                        "token",
                        "1.2.3"));
        assertThat(join).isInstanceOf(Join.Joined.class);
        return ((Join.Joined) join).lease();
    }

    /** The changes of a resource in the audit log, the latest first. */
    protected static Response audit(String kind, String name) {
        return admin().queryParam("kind", kind).queryParam("name", name).get("/v1/audit");
    }

    /** A field of all items of a list that is read in pages of two. */
    protected static List<String> listed(String list, String field) {
        List<String> fields = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            Response page =
                    admin().queryParam("limit", 2).queryParam("cursor", cursor).get(list);
            List<String> items = page.path("items." + field);
            assertThat(items).hasSizeLessThanOrEqualTo(2);
            fields.addAll(items);
            cursor = page.path("next");
        }
        return fields;
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
