package dev.kvstore.control.failover;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.warming.TwoRegions;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.config.JsonConfig;
import io.restassured.http.ContentType;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class FailoversTest extends TwoRegions {
    private static ValidatableResponse plan(String account, String to) {
        return given().config(RestAssured.config()
                        .jsonConfig(JsonConfig.jsonConfig().numberReturnType(NumberReturnType.DOUBLE)))
                .header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/accounts/" + account + "/failover/" + to)
                .then();
    }

    private static ValidatableResponse failOver(String account, String to, boolean leave) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(Map.of("leave", leave))
                .post("/v1/accounts/" + account + "/failover/" + to)
                .then();
    }

    private static ValidatableResponse account(String name, String path) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get(path + name)
                .then()
                .statusCode(200);
    }

    @Test
    void aPlanTellsWhatIsHotAtHomeAndNotKnownToBeOverThere() throws Exception {
        account("fail-cold");
        used("fail-cold", 3, 2, 1, 0);

        plan("fail-cold", "warm-away")
                .statusCode(200)
                .body("from", equalTo("warm-home"))
                .body("done", equalTo(false))
                .body("ready", equalTo(true))
                .body("hot.blocks", equalTo(4))
                .body("hot.bytes", equalTo(4_000))
                .body("cold.blocks", equalTo(4))
                .body("coldUses", closeTo(1, 0));
    }

    @Test
    void whatAWarmingBroughtOrFoundThereIsNotCold() throws Exception {
        account("fail-warm");
        used("fail-warm", 3, 2, 1, 0);
        String id = created(spec("fail-warm", Map.of("hottestBytes", 3_000)));
        plan("fail-warm", "warm-away").body("warmings", equalTo(List.of(id)));
        Task task = claimed();
        var _ = report(task, 0, 1, 2, 3);

        // Uses of 8, 4, 2 and 1: the third could not be copied, the fourth was not meant.
        plan("fail-warm", "warm-away")
                .body("cold.blocks", equalTo(2))
                .body("cold.bytes", equalTo(2_000))
                .body("coldUses", closeTo(0.2, 0.001))
                .body("warmings", hasSize(0));
    }

    @Test
    void whatIsUsedThereIsNotCold() throws Exception {
        account("fail-used");
        used("fail-used", 0, 0, 0);
        usedAway("fail-used", 0, 0);

        plan("fail-used", "warm-away").body("cold.blocks", equalTo(1));
    }

    @Test
    void whatWasUsedOrCopiedBeforeTheReplicaWasWhatItIsMayBeCold() throws Exception {
        account("fail-new");
        used("fail-new", 0, 0, 0);
        usedAway("fail-new", 0);
        String _ = created(spec("fail-new", Map.of("hottestBytes", 1_000)));
        var _ = report(claimed(), 0, 1);
        plan("fail-new", "warm-away").body("cold.blocks", equalTo(2));

        sql("update replica set probed_at = now() where resource_name = ?", "fail-new");

        plan("fail-new", "warm-away").body("cold.blocks", equalTo(3));
    }

    @Test
    void whatAStandingWarmingCaughtUpWithIsNotCold() throws Exception {
        account("fail-standing");
        used("fail-standing", -20, -20);
        toldEarlier("fail-standing", "10 minutes");
        usedFrom(3, "fail-standing", 0);
        Map<String, Object> standing = spec("fail-standing", Map.of("used", true));
        standing.put("everySeconds", 3_600);
        String id = created(standing);
        var _ = report(claimed(), 0, 1, 1, 1);
        assertThat(state(id)).isEqualTo("waiting");
        sql("delete from warming_chunk where warming = ?", id); // as its next round does

        plan("fail-standing", "warm-away").body("cold.blocks", equalTo(1));
    }

    @Test
    void whatAStandingWarmingCouldNotCopyIsCold() throws Exception {
        account("fail-undone");
        used("fail-undone", 0, 0, 0);
        toldEarlier("fail-undone", "10 minutes");
        Map<String, Object> standing = spec("fail-undone", Map.of("used", true));
        standing.put("everySeconds", 3_600);
        String id = created(standing);
        Task task = claimed();
        var _ = report(task, 0, 1);
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "fail-undone");
        sql("update warming_chunk set claimed_until = now() - interval '1 s' where warming = ?", id);
        assertThat(isNothingToDo(away)).isTrue();
        assertThat(state(id)).isEqualTo("waiting");
        plan("fail-undone", "warm-away").body("cold.blocks", equalTo(2));
        sql("update replica set state = 'READY' where resource_name = ? and region = 'warm-away'", "fail-undone");
        isDue(id);

        var _ = report(claimed(), 0, 3, 1);

        plan("fail-undone", "warm-away").body("cold.blocks", equalTo(1));
    }

    @Test
    void whatWasToldLateIsCold() throws Exception {
        account("fail-late");
        used("fail-late", 0);
        toldEarlier("fail-late", "10 minutes");
        Map<String, Object> standing = spec("fail-late", Map.of("used", true));
        standing.put("everySeconds", 3_600);
        String _ = created(standing);
        var _ = report(claimed(), 0, 1);
        usedFrom(2, "fail-late", -12);

        plan("fail-late", "warm-away").body("cold.blocks", equalTo(1));
    }

    @Test
    void whatWasUsedVeryMuchBeforeTheReplicaWasGoodIsCold() throws Exception {
        account("fail-before");
        used("fail-before", 0);
        // A million times, two and a half hours ago.
        usedAway("fail-before", -30 + 20);
        toldEarlier("fail-before", "150 minutes");
        sql("update replica set probed_at = now() - interval '2 hours' where resource_name = ?", "fail-before");
        plan("fail-before", "warm-away").body("cold.blocks", equalTo(1));

        usedAway("fail-before", 0);

        plan("fail-before", "warm-away").body("cold.blocks", equalTo(0));
    }

    @Test
    void aFailoverMovesHomeAndLeavesTheOldOneIfThatIsWanted() throws Exception {
        account("fail-over");
        awaitRoute("fail-over", "warm-home", "warm-home");

        failOver("fail-over", "warm-away", false).statusCode(200).body("done", equalTo(true));

        account("fail-over", "/v1/accounts/")
                .body("homeRegion", equalTo("warm-away"))
                .body("avoidedRegions", hasSize(0));
        awaitRoute("fail-over", "warm-home", "warm-home");

        failOver("fail-over", "warm-home", true).statusCode(200);
        account("fail-over", "/v1/accounts/").body("avoidedRegions", equalTo(List.of("warm-away")));
        awaitRoute("fail-over", "warm-away", "warm-home");

        failOver("fail-over", "warm-away", false).statusCode(200);
        account("fail-over", "/v1/accounts/")
                .body("homeRegion", equalTo("warm-away"))
                .body("avoidedRegions", hasSize(0));
        failOver("fail-over", "warm-away", true).statusCode(400).body("errors[0].field", equalTo("to"));
        account("fail-over", "/v1/accounts/").body("avoidedRegions", hasSize(0));
    }

    /** Where clients of a region are sent first. */
    private static void awaitRoute(String account, String client, String first) {
        await().atMost(Patience.LIMIT)
                .untilAsserted(() ->
                        account(account + "?region=" + client, "/v1/routes/").body("levels[0].region", equalTo(first)));
    }

    @Test
    void aPlanForAnAccountThatChangedMeanwhileIsNotCarriedOut() throws Exception {
        account("fail-etag");
        String tag = plan("fail-etag", "warm-away").extract().header("ETag");
        failOver("fail-etag", "warm-away", false).statusCode(200);
        failOver("fail-etag", "warm-home", false).statusCode(200);

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .header("If-Match", tag)
                .contentType(ContentType.JSON)
                .body(Map.of())
                .post("/v1/accounts/fail-etag/failover/warm-away")
                .then()
                .statusCode(412);
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        account("fail-bad");
        plan("fail-bad", "warm-home").statusCode(400).body("errors[0].field", equalTo("to"));
        plan("fail-bad", "nowhere").statusCode(400).body("errors[0].field", equalTo("to"));
        plan("fail-bad", "warm-none")
                .statusCode(400)
                .body("errors[0].detail", containsString("a region with a replica of fail-bad"));
        plan("fail-none", "warm-away").statusCode(404);
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "fail-bad");
        plan("fail-bad", "warm-away").statusCode(200).body("ready", equalTo(false));
        failOver("fail-bad", "warm-away", false).statusCode(409).body("detail", containsString("passed no trial yet"));
    }
}
