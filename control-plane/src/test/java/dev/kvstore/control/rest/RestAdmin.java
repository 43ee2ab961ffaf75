package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;

import dev.kvstore.control.TestDatabase;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
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
}
