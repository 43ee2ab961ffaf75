package dev.kvstore.control.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.launcher.Home;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Public tools hold the OpenAPI document against the standard, and the service against its document, and have nothing
 * to report.
 */
@Tag("full")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class PublicToolsTest {
    /** Tests are the same each time; another seed finds other requests. */
    private static final String SEED = "32";

    private static String url() {
        return "http://127.0.0.1:" + RestAssured.port;
    }

    @Test
    void theDocumentIsOneOfOpenApi() throws IOException, InterruptedException {
        PublicTools.ToolResult result = PublicTools.run(
                "openapi-spec-validator",
                Home.current().path().resolve("docs/api/control-plane.yaml").toString());

        assertThat(result.code()).as(result.said()).isZero();
    }

    @Test
    void theServiceDoesWhatItsDocumentSays() throws IOException, InterruptedException {
        PublicTools.ToolResult result = PublicTools.run(
                "schemathesis",
                "--config-file",
                Home.current()
                        .path()
                        .resolve("control-plane/src/test/resources/schemathesis.toml")
                        .toString(),
                "run",
                url() + "/q/openapi",
                "--url",
                url(),
                "-H",
                "Authorization: Bearer " + TestDatabase.ADMIN_TOKEN,
                "--max-examples",
                "10",
                "--phases",
                "examples,coverage,fuzzing",
                "--continue-on-failure",
                "--seed",
                SEED,
                // They are about generated names that nothing has.
                "--warnings",
                "off",
                "--generation-database",
                "none",
                "--no-color");

        assertThat(result.code()).as(result.failures()).isZero();
    }
}
