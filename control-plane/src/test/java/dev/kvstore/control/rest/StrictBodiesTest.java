package dev.kvstore.control.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.rest.ApiDocument.ApiOperation;
import dev.kvstore.control.rest.RawHttp.RawAnswer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each field of each body of the API's document, in every form that it does not have: nothing of it is converted. The
 * answer names the field.
 */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class StrictBodiesTest {
    private static final int MOST_SHOWN = 300;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> ADMIN =
            Map.of("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN, "Content-Type", "application/json");

    @SuppressWarnings("NullAway.Init")
    private ApiDocument document;

    @BeforeEach
    void read() {
        document = ApiDocument.served();
    }

    @Test
    void aFieldOfAnotherFormIsRefusedByItsName() {
        List<String> flaws = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        for (ApiOperation operation : document.operations()) {
            JsonNode schema = operation.body();
            // A patch is held against a resource that is there: PatchTest.
            if (schema == null || operation.method().equals("PATCH")) {
                continue;
            }
            for (WrongForm wrong : WrongForm.of(document, schema, Map.of())) {
                fields.add(operation + " " + wrong.field());
                check(operation, wrong, flaws);
            }
        }
        assertThat(flaws).isEmpty();
        assertThat(fields)
                .contains(
                        "POST /v1/tenants/{tenant}/keys expiresAt",
                        "PUT /v1/accounts/{account} replicas[0].vouched",
                        "PUT /v1/accounts/{account}/limits operations",
                        "PUT /v1/tenants/{tenant} state",
                        "POST /v1/warmings select.storedSince");
    }

    @Test
    void aBodyIsOneObjectWithEachFieldOnce() {
        List<String> flaws = new ArrayList<>();
        for (ApiOperation operation : document.operations()) {
            JsonNode schema = operation.body();
            if (schema == null) {
                continue;
            }
            JsonNode good = document.example(schema, Map.of());
            Stream<WrongForm> more =
                    Stream.of(" {}", " null", ",", "x").map(end -> new WrongForm("the body", good + end));
            Stream.concat(WrongForm.twice(good).stream(), more).forEach(wrong -> check(operation, wrong, flaws));
        }
        assertThat(flaws).isEmpty();
    }

    private static void check(ApiOperation operation, WrongForm wrong, List<String> flaws) {
        RawAnswer answer = RawHttp.send(operation.method(), operation.at(Map.of()), ADMIN, wrong.body());
        if (answer.status() != 400 || !named(answer).contains(wrong.field())) {
            flaws.add("%s, %s: %s%n    %d %s"
                    .formatted(operation, wrong.field(), cut(wrong.body()), answer.status(), cut(answer.text())));
        }
    }

    private static List<String> named(RawAnswer answer) {
        try {
            return JSON.readTree(answer.text())
                    .path("errors")
                    .valueStream()
                    .filter(error -> !error.path("detail").asText().isBlank())
                    .map(error -> error.path("field").asText())
                    .toList();
        } catch (JsonProcessingException e) {
            return List.of();
        }
    }

    private static String cut(String text) {
        return Objects.requireNonNull(text).substring(0, Math.min(MOST_SHOWN, text.length()));
    }
}
