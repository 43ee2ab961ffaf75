package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.launcher.Home;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class DocumentTest {
    private static final String CHECKED_IN = "docs/api/control-plane.yaml";

    @Test
    void theCheckedInDocumentIsTheOneThatIsServed() throws IOException {
        Path file = Home.current().path().resolve(CHECKED_IN);
        String served = given().get("/q/openapi").asString();

        assertThat(served)
                .as("if the change is meant: cp control-plane/target/openapi/openapi.yaml " + CHECKED_IN)
                .isEqualTo(Files.readString(file));
    }
}
