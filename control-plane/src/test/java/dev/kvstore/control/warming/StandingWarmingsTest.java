package dev.kvstore.control.warming;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Warmings that are planned anew now and then. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class StandingWarmingsTest extends TwoRegions {
    private static String standing(String account, Map<String, ?> select) {
        Map<String, Object> spec = spec(account, select);
        spec.put("everySeconds", 600);
        return created(spec);
    }

    @Test
    void aStandingWarmingIsPlannedAnewAndCountsAllItsRounds() throws Exception {
        account("warm-stand");
        used("warm-stand", 0, 0);
        Map<String, Object> spec = spec("warm-stand", Map.of("hottestBytes", 1_000_000));
        spec.put("everySeconds", 600);
        String id = created(spec);
        assertThat(report(claimed(), 0, 1, 3).getOver()).isTrue();
        get(id).body("state", equalTo("waiting"))
                .body("blocks.all", equalTo(2))
                .body("nextAt", notNullValue())
                .body("caughtUpAt", notNullValue());
        assertThat(isNothingToDo(away)).isTrue();

        used("warm-stand", 0, 0, 0);
        isDue(id);
        Task second = claimed();

        assertThat(second.getWarming()).isEqualTo(id);
        assertThat(blocks(second)).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(report(second, 0, 2, 1, 1).getOver()).isTrue();
        get(id).body("state", equalTo("waiting"))
                .body("blocks.all", equalTo(5))
                .body("blocks.copied", equalTo(3))
                .body("blocks.failed", equalTo(1))
                .body("blocks.left", equalTo(0));
        get(id + "/failures").body("items", hasSize(0));
    }

    @Test
    void ofWhatIsUsedOnlyWhatWasUsedSinceIsCopiedAgain() throws Exception {
        account("warm-used");
        // Half an hour ago.
        used("warm-used", -6, -6);
        Map<String, Object> spec = spec("warm-used", Map.of("used", true));
        spec.put("everySeconds", 10);
        String id = created(spec);
        Task first = claimed();
        assertThat(blocks(first)).hasSize(2);
        assertThat(report(first, 0, 1, 1).getOver()).isTrue();

        toldEarlier("warm-used", "10 minutes");
        usedFrom(3, "warm-used", 0);
        isDue(id);

        assertThat(blocks(claimed())).containsExactly(3);
    }

    @Test
    void aStandingWarmingOutlivesAReplicaThatFailsForAWhile() throws Exception {
        account("warm-back");
        used("warm-back", 0);
        Map<String, Object> spec = spec("warm-back", Map.of("used", true));
        spec.put("everySeconds", 10);
        String id = created(spec);
        await().atMost(Patience.LIMIT).until(() -> state(id).equals("running"));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "warm-back");
        assertThat(isNothingToDo(away)).isTrue();
        get(id).body("state", equalTo("waiting")).body("flaw", containsString("no replica in warm-away"));

        sql("update replica set state = 'READY' where resource_name = ? and region = 'warm-away'", "warm-back");
        isDue(id);

        assertThat(report(claimed(), 0, 1).getOver()).isTrue();
        get(id).body("state", equalTo("waiting")).body("flaw", nullValue());
        post(id, "pause").statusCode(200).body("state", equalTo("paused"));
        post(id, "resume").statusCode(200).body("state", equalTo("waiting"));
        post(id, "cancel").statusCode(200).body("state", equalTo("cancelled"));
    }

    @Test
    void oneThatCannotBePlannedKeepsNoOtherWaiting() throws Exception {
        account("warm-odd");
        used("warm-odd", 0);
        Map<String, Object> spec = spec("warm-odd", Map.of("hottestBytes", 1_000));
        spec.put("everySeconds", 600);
        String odd = created(spec);
        assertThat(report(claimed(), 0, 1).getOver()).isTrue();
        // As a version to come may write it.
        sql(
                "update warming set selection = '{\"hottestBytes\": \"most\"}', every_seconds = null, plan_after = now() where id = ?",
                odd);
        String other = created(spec("warm-odd", Map.of("hottestBytes", 1_000)));

        assertThat(claimed().getWarming()).isEqualTo(other);
        assertThat(given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                        .get("/v1/warmings/" + other)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void onePausedWhileItWaitsGoesOnWaitingAndKeepsNoOtherFromBeingPlanned() throws Exception {
        account("warm-rest");
        used("warm-rest", 0);
        String id = standing("warm-rest", Map.of("hottestBytes", 1_000));
        assertThat(report(claimed(), 0, 1).getOver()).isTrue();

        post(id, "pause").statusCode(200).body("state", equalTo("paused"));
        post(id, "resume").statusCode(200).body("state", equalTo("waiting")).body("nextAt", notNullValue());

        String other = created(spec("warm-rest", Map.of("hottestBytes", 1_000)));
        assertThat(claimed().getWarming()).isEqualTo(other);
        isDue(id);
        assertThat(claimed().getWarming()).isEqualTo(id);
    }

    @Test
    void oneThatTheDatabaseRefusesToPlanKeepsNoOtherFromBeingPlanned() throws Exception {
        account("warm-refused");
        used("warm-refused", 0);
        sql("""
                create function refuse() returns trigger as $$ begin raise exception 'as a flaw of a schema may be'; end $$
                language plpgsql""");
        try {
            String bad = created(spec("warm-refused", Map.of("hottestBytes", 1_000)));
            sql("create trigger refuse before insert on warming_chunk for each row when (new.warming = '" + bad
                    + "') execute function refuse()");
            String good = created(spec("warm-refused", Map.of("hottestBytes", 1_000)));

            await().atMost(Patience.LIMIT).until(() -> state(good).equals("running"));
            await().atMost(Patience.LIMIT).until(() -> !state(bad).equals("planning"));
        } finally {
            sql("drop function refuse cascade");
        }
    }

    @Test
    void onePausedInItsRoundStaysPausedWhenTheRoundEnds() throws Exception {
        account("warm-halt");
        used("warm-halt", 0);
        String id = standing("warm-halt", Map.of("hottestBytes", 1_000));
        Task task = claimed();
        post(id, "pause").statusCode(200).body("state", equalTo("paused"));

        assertThat(report(task, 0, 1).getOver()).isTrue();

        get(id).body("state", equalTo("paused")).body("blocks.copied", equalTo(1));
        isDue(id);
        assertThat(isNothingToDo(away)).isTrue();
        post(id, "resume").statusCode(200).body("state", equalTo("waiting"));
        isDue(id);
        assertThat(claimed().getWarming()).isEqualTo(id);
    }

    @Test
    void whoIsLateByARoundCannotReport() throws Exception {
        account("warm-round");
        used("warm-round", 0);
        String id = standing("warm-round", Map.of("hottestBytes", 1_000_000));
        Task late = claimed();
        sql("update warming_chunk set claimed_until = now() - interval '1 s' where warming = ?", id);
        Task second = claimed();
        assertThat(report(second, 0, 1).getOver()).isTrue();
        isDue(id);
        Task third = claimed();
        isLapsed(id);
        Task fourth = claimed();

        assertThat(report(late, 0, 1).getOver()).isTrue();
        assertThat(report(second, 0, 1).getOver()).isTrue();

        get(id).body("blocks.copied", equalTo(1))
                .body("blocks.left", equalTo(1))
                .body("state", equalTo("running"));
        assertThat(report(third, 0, 1).getOver()).isTrue();
        get(id).body("blocks.copied", equalTo(1));
        assertThat(report(fourth, 0, 1).getOver()).isTrue();
        get(id).body("blocks.copied", equalTo(2));
    }

    private void isLapsed(String id) throws Exception {
        sql("update warming_chunk set claimed_until = now() - interval '1 s' where warming = ?", id);
    }

    @Test
    void whatARoundThatFailedHasNotCopiedTheNextCopies() throws Exception {
        account("warm-again");
        used("warm-again", -2, -2);
        toldEarlier("warm-again", "10 minutes");
        String id = standing("warm-again", Map.of("used", true));
        await().atMost(Patience.LIMIT).until(() -> state(id).equals("running"));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "warm-again");
        assertThat(isNothingToDo(away)).isTrue();
        sql("update replica set state = 'READY' where resource_name = ? and region = 'warm-away'", "warm-again");
        isDue(id);

        Task second = claimed();
        assertThat(blocks(second)).containsExactlyInAnyOrder(1, 2);
        assertThat(report(second, 0, 1, 3).getOver()).isTrue();
        isDue(id);

        assertThat(blocks(claimed())).containsExactly(blocks(second).getLast());
    }

    @Test
    void whatWasUsedLongBeforeItWasToldIsCopied() throws Exception {
        account("warm-slow");
        used("warm-slow", 0);
        toldEarlier("warm-slow", "10 minutes");
        String id = standing("warm-slow", Map.of("used", true));
        assertThat(report(claimed(), 0, 1).getOver()).isTrue();

        // An hour ago; the control plane was away.
        usedFrom(2, "warm-slow", -12);
        isDue(id);

        assertThat(blocks(claimed())).containsExactly(2);
    }
}
