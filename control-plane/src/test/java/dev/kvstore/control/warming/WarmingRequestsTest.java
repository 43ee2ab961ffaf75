package dev.kvstore.control.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.warming.admin.Warmings;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests for warmings: their fields, their bounds, and how many may be open at a time. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class WarmingRequestsTest extends TwoRegions {
    @Test
    void ofAnAccountThatNobodyUsesThereIsNothingToWarmAndItSaysWhatElseMayBeDone() throws Exception {
        account("warm-unused");
        String id = created(spec("warm-unused", Map.of("hottestBytes", 1_000_000)));

        await().atMost(Patience.LIMIT).until(() -> state(id).equals("done"));
        get(id).body("flaw", containsString("select storedSince"));
    }

    @Test
    void anAccountThatHasLostItsReplicaEndsTheWarming() throws Exception {
        account("warm-lost");
        used("warm-lost", 0);
        String id = created(spec("warm-lost", Map.of("hottestBytes", 1_000_000)));
        await().atMost(Patience.LIMIT).until(() -> state(id).equals("running"));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "warm-lost");

        assertThat(isNothingToDo(away)).isTrue();

        get(id).body("state", equalTo("failed")).body("flaw", containsString("no replica in warm-away"));
    }

    @Test
    void oneThatCannotBeGivenOutEndsAndKeepsNoOtherWaiting() throws Exception {
        account("warm-unread");
        String bad = created(spec("warm-unread", Map.of("all", true)));
        String good = created(spec("warm-unread", Map.of("all", true)));
        // As a version to come may write it.
        sql("update warming set selection = '{\"all\": \"most\"}' where id = ?", bad);

        assertThat(claimed().getWarming()).isEqualTo(good);

        await().atMost(Patience.LIMIT).until(() -> isNothingToDo(away));
        assertThat(text("select state from warming where id = ?", bad)).isEqualTo("FAILED");
    }

    @Test
    void aRequestThatMakesNoSenseIsToldWhichFieldIsWrong() throws Exception {
        account("warm-bad");
        Map<String, ?> hot = Map.of("hottestBytes", 1);
        refused(400, "to must be another region", with(spec("warm-bad", hot), "to", "warm-home"));
        refused(400, "to must be a region that is registered", with(spec("warm-bad", hot), "to", "nowhere"));
        refused(400, "from must be a region that is registered", with(spec("warm-bad", hot), "from", "nowhere"));
        refused(400, "to must be a region with a replica", with(spec("warm-bad", hot), "to", "warm-none"));
        refused(400, "bytesPerSecond", with(spec("warm-bad", hot), "bytesPerSecond", 0));
        refused(400, "bytesPerSecond", with(spec("warm-bad", hot), "bytesPerSecond", Long.MAX_VALUE));
        refused(400, "requestsPerSecond", with(spec("warm-bad", hot), "requestsPerSecond", -1));
        refused(400, "select must have one of", spec("warm-bad", Map.of()));
        refused(400, "select must have one of", spec("warm-bad", Map.of("hottestBytes", 1, "all", true)));
        refused(400, "select.partition is missing", spec("warm-bad", Map.of("prefix", block(1).hex())));
        refused(400, "select.storedSince", spec("warm-bad", Map.of("storedSince", "2999-01-01T00:00:00Z")));
        refused(400, "select.blockTokens", spec("warm-bad", Map.of("all", true, "blockTokens", 16)));
        refused(404, "no account warm-gone", spec("warm-gone", hot));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-home'", "warm-bad");
        refused(409, "has passed no trial yet", spec("warm-bad", hot));
    }

    @Test
    void howOftenHasItsBounds() throws Exception {
        account("warm-every");
        Map<String, ?> hot = Map.of("hottestBytes", 1);
        refused(400, "everySeconds", with(spec("warm-every", hot), "everySeconds", 9));
        refused(
                400,
                "everySeconds must be 3600 or more",
                with(spec("warm-every", Map.of("all", true)), "everySeconds", 60));
        refused(
                400,
                "everySeconds has no meaning for a prefix",
                with(
                        spec("warm-every", Map.of("partition", "llama", "prefix", block(1).hex())),
                        "everySeconds",
                        7_200));
    }

    @Test
    void anAccountHasOnlySoManyWarmingsAtATime() throws Exception {
        account("warm-many");
        used("warm-many", 0);
        for (int i = 0; i < Warmings.MOST_OPEN; i++) {
            var _ = created(spec("warm-many", Map.of("hottestBytes", 1_000_000)));
        }

        refused(409, "has 8 warmings that are not over", spec("warm-many", Map.of("hottestBytes", 1_000_000)));
    }

    @Test
    void theLatestAreListedFirstAndMayBeChosen() throws Exception {
        account("warm-page");
        String first = created(spec("warm-page", Map.of("hottestBytes", 1)));
        await().atMost(Patience.LIMIT).until(() -> state(first).equals("done"));
        // Ids go by the second.
        await().atMost(Patience.LIMIT)
                .until(() -> !Instant.now()
                        .toString()
                        .substring(0, 19)
                        .equals(get(first).extract().<String>path("createdAt").substring(0, 19)));
        String second = created(spec("warm-page", Map.of("all", true)));

        get("?account=warm-page").body("items.id", equalTo(List.of(second, first)));
        get("?account=warm-page&state=done").body("items.id", equalTo(List.of(first)));
        String next = get("?account=warm-page&limit=1").extract().path("next");
        get("?account=warm-page&cursor=" + next).body("items.id", equalTo(List.of(first)));
    }

    private static Map<String, Object> with(Map<String, Object> spec, String field, Object value) {
        spec.put(field, value);
        return spec;
    }

    private static void refused(int status, String why, Map<String, ?> spec) {
        create(spec).statusCode(status).body("detail", containsString(why));
    }
}
