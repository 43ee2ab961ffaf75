package dev.kvstore.control.warming;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Warmings end when their account is deleted. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountEndTest extends TwoRegions {
    @Test
    void anAccountThatIsDeletedTakesItsWarmingsAlong() throws Exception {
        account("warm-deleted");
        used("warm-deleted", 1);
        Map<String, Object> standing = spec("warm-deleted", Map.of("used", true));
        standing.put("everySeconds", 10);
        String id = created(standing);
        String paused = created(spec("warm-deleted", Map.of("hottestBytes", 1_000)));
        post(paused, "pause").statusCode(200);

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .delete("/v1/accounts/warm-deleted")
                .then()
                .statusCode(204);

        assertThat(List.of(state(id), state(paused))).containsExactly("cancelled", "cancelled");
        account("warm-deleted");
        assertThat(List.of(state(id), state(paused))).containsExactly("cancelled", "cancelled");
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .queryParam("kind", "warming")
                .queryParam("name", id)
                .get("/v1/audit")
                .then()
                .body("items[0].after.state", equalTo("cancelled"));
    }
}
