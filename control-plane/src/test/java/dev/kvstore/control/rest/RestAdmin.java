package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;

import dev.kvstore.control.TestDatabase;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Calls of an admin. */
final class RestAdmin {
    private RestAdmin() {}

    static RequestSpecification admin() {
        return with(TestDatabase.ADMIN_TOKEN);
    }

    static RequestSpecification with(String token) {
        return given().header("Authorization", "Bearer " + token).contentType(ContentType.JSON);
    }

    static Response put(String path, Object body) {
        return admin().body(body).put(path);
    }

    /** A tenant, unless it is there. */
    static void tenant(String name) {
        put("/v1/tenants/" + name, Map.of()).then().statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    /** A region, unless it is there. */
    static void region(String name) {
        put("/v1/regions/" + name, Map.of()).then().statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    /** The storage of an account in a region, in a container that is to be proven. */
    static Map<String, Object> replica(String region, String host, String container) {
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
    static Map<String, Object> vouched(String region, String host, String container) {
        Map<String, Object> replica = replica(region, host, container);
        replica.put("vouched", true);
        return replica;
    }

    /** The body of an account with these storages. */
    static Map<String, Object> account(String tenant, Map<?, ?>... replicas) {
        return Map.of("tenant", tenant, "replicas", List.of(replicas));
    }
}
