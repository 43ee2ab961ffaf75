package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code kv admin warm}, {@code warming} and {@code failover}. */
class AdminWarmTest extends AdminLine {
    private static final String WARMING = """
            {"id": "w-1", "state": "%s", "blocks": {"all": 10, "copied": %d, "present": 1, "failed": 0, "left": %d},
             "bytes": {"all": 12000000, "left": %d}, "rate": 2400000, "eta": %s}""";

    @Test
    void warmsAndFollowsItToItsEnd() throws Exception {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"));

        assertThat(run("warm acme --from a --to b --hottest 1.5G --rate 20M --preheat memory --partition p"))
                .isZero();

        assertThat(JSON.readTree(peer.requests().getFirst().body())).isEqualTo(JSON.readTree("""
                        {"resourceName": "acme", "from": "a", "to": "b", "bytesPerSecond": 20000000, "preheat": "memory",
                         "select": {"hottestBytes": 1500000000, "partition": "p"}}"""));
        assertThat(err.toString().lines())
                .containsExactly(
                        "w-1",
                        "done     [########################] 100 %  10 of 10 blocks, 12.0 MB of 12.0 MB; 1 there already");
        assertThat(out.toString()).contains("state");
    }

    @Test
    void aWarmingThatFailedInPartsIsAFailure() {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("partial", 8, 0, 0, "null"));

        assertThat(run("warm acme --from a --to b --all")).isEqualTo(1);
    }

    @Test
    void whoFollowsAWarmingThatEndsBadlyHasFailed() {
        for (String state : List.of("failed", "partial", "cancelled")) {
            peer.answers("GET /v1/warmings/w-1", 200, WARMING.formatted(state, 8, 0, 0, "null"));

            assertThat(run("warming watch w-1")).as(state).isEqualTo(1);
        }
        peer.answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"));

        assertThat(run("warming watch w-1")).isZero();
    }

    @Test
    void whoFollowsAWarmingOutlivesAControlPlaneThatIsAwayForAMoment() {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"))
                .answersOnce("GET /v1/warmings/w-1", 503, "{\"title\": \"Unavailable\"}");

        assertThat(run("warm acme --from a --to b --all")).isZero();
    }

    @Test
    void aStandingWarmingIsNotWaitedFor() throws Exception {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"));

        assertThat(run("warm acme --from a --to b --used --every 10m")).isZero();

        JsonNode body = JSON.readTree(peer.requests().getFirst().body());
        assertThat(body.path("everySeconds").asInt()).isEqualTo(600);
        assertThat(body.at("/select/used").asBoolean()).isTrue();
        assertThat(peer.requests()).hasSize(1);
    }

    @Test
    void aFailoverIsShownAndChangesNothingUntilItIsConfirmed() throws Exception {
        peer.answers("GET /v1/accounts/acme/failover/us-1", 200, """
                {"from": "eu-1", "to": "us-1", "done": false, "cold": {"blocks": 7}, "coldUses": 0.4}""");
        peer.answers("POST /v1/accounts/acme/failover/us-1", 200, "{\"from\": \"eu-1\", \"done\": true}");

        assertThat(run("failover acme --to us-1")).isZero();

        assertThat(peer.calls()).containsExactly("GET /v1/accounts/acme/failover/us-1");
        assertThat(out.toString())
                .contains(
                        "cold.blocks",
                        "kv admin warm acme --from eu-1 --to us-1 --used",
                        "nothing has changed; to do it: kv admin failover acme --to us-1 --yes");

        assertThat(run("failover acme --to us-1 --leave --yes")).isZero();

        assertThat(peer.calls()).last().isEqualTo("POST /v1/accounts/acme/failover/us-1");
        assertThat(JSON.readTree(peer.requests().getLast().body())).isEqualTo(JSON.readTree("{\"leave\": true}"));
        assertThat(out.toString()).contains("acme: us-1 is home now");
    }

    @Test
    void aRunningWarmingSaysHowFarItIsAndHowLongTheRestTakes() throws Exception {
        assertThat(WarmingProgress.line(JSON.readTree(WARMING.formatted("running", 4, 5, 6_000_000, "3725"))))
                .isEqualTo("running  [############            ]  50 %  5 of 10 blocks, 6.00 MB of 12.0 MB, 2.40 MB/s,"
                        + " 1:02:05 left; 1 there already");
    }

    @Test
    void failuresOfAWarmingAreListedWithTheirReasons() {
        peer.answers("GET /v1/warmings/w-1/failures?limit=1000", 200, """
                {"items": [{"root": "0f", "hash": "1e", "reason": "it is not at the source any more"}], "next": null}""");

        assertThat(run("warming failures w-1")).isZero();

        assertThat(out.toString().lines())
                .containsExactly("ROOT  HASH  REASON", "0f    1e    it is not at the source any more");
    }

    @Test
    void aWarmingWaitsGoesOnAndEnds() {
        for (String verb : List.of("pause", "resume", "cancel")) {
            peer.answers("POST /v1/warmings/w-1/" + verb, 200, WARMING.formatted(verb, 0, 9, 10_800_000, "null"));
            assertThat(run("warming " + verb + " w-1")).isZero();
        }
    }
}
