package dev.kvstore.control.security;

import static dev.kvstore.control.security.JoinedFleet.admin;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.testing.ClosedPort;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The issuer of admins' tokens does not answer. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(value = IssuerAwayTest.AwayIssuer.class, restrictToAnnotatedClass = true)
class IssuerAwayTest {
    /** An issuer at a port where nobody listens. */
    public static final class AwayIssuer implements QuarkusTestResourceLifecycleManager {
        @SuppressWarnings("NullAway.Init")
        private ClosedPort port;

        @Override
        public Map<String, String> start() {
            try {
                port = new ClosedPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Map.of("kvstore.oidc.enabled", "true", "kvstore.oidc.issuer", "http://127.0.0.1:" + port.number());
        }

        @Override
        public void stop() {
            try {
                port.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aTokenIsNotCheckedAndTheAnswerSaysWhy() {
        given().header("Authorization", "Bearer a.b.c")
                .get("/v1/tenants")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", equalTo("2"))
                .body("type", equalTo("urn:kvstore:problem:issuer-away"))
                .body("detail", equalTo("the issuer of tokens does not answer, so yours cannot be checked; try again"));
    }

    @Test
    void theLocalAdminIsServed() {
        admin().get("/v1/tenants").then().statusCode(200);
    }
}
