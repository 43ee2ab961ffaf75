package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
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
    private static final String SERVED = "control-plane/target/openapi/served.yaml";

    @Test
    void theCheckedInDocumentIsTheOneThatIsServed() throws IOException {
        Path home = Home.current().path();
        String served = given().get("/q/openapi").asString();
        Files.createDirectories(home.resolve(SERVED).getParent());
        Files.writeString(home.resolve(SERVED), served);

        // As trees: the order of fields is not always the same.
        ObjectMapper yaml = new YAMLMapper();
        assertThat(yaml.readTree(served))
                .as("if the change is meant: cp " + SERVED + " " + CHECKED_IN)
                .isEqualTo(yaml.readTree(Files.readString(home.resolve(CHECKED_IN))));
    }
}
