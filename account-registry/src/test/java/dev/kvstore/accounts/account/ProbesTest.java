package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trials of storage: which are given out, when, and to which cluster. */
@QuarkusTest
class ProbesTest extends RunningRegistry {
    private static final String REGION = "many-tried";
    private static final Duration TICK = Duration.ofNanos(1_000);

    /** The time for which a data plane has a trial. */
    private static final Duration CLAIM = Duration.ofSeconds(60);

    @Inject
    @SuppressWarnings("NullAway.Init")
    Probes probes;

    @BeforeEach
    void noOtherStorageIsTried() throws SQLException {
        database().execute("update replica set probe_after = '2999-01-01Z', asked = false");
        tenant("tried");
        tenant("tried-too");
    }

    private static void stored(String tenant, String name) {
        put("/v1/accounts/" + name, account(tenant, replica(REGION, name, "blocks")))
                .then()
                .statusCode(201);
    }

    private List<Probes.GivenTrial> claim(String... clusters) {
        return probes.claim(REGION, List.of(clusters), List.of(REGION), 10);
    }

    private static List<String> names(List<Probes.GivenTrial> trials) {
        return trials.stream().map(trial -> trial.replica().resourceName()).toList();
    }

    @Test
    void aNewStorageIsTriedAtOnceByAClusterOfItsRegion() {
        stored("tried", "tried-new");

        List<Probes.GivenTrial> trials = claim("a");

        assertThat(trials)
                .extracting(
                        trial -> trial.replica().resourceName(),
                        trial -> trial.replica().region(),
                        Probes.GivenTrial::cluster)
                .containsExactly(tuple("tried-new", REGION, "a"));
        assertThat(trials.getFirst().replica().claim()).isNotBlank();
    }

    @Test
    void aTrialThatWasGivenOutIsGivenToNobodyElseUntilItsTimeIsOver() {
        stored("tried", "tried-once");
        String first = claim("a").getFirst().replica().claim();

        clock.move(CLAIM.minus(TICK));
        assertThat(claim("a", "b")).isEmpty();

        clock.move(TICK);
        assertThat(claim("a", "b")).singleElement().satisfies(trial -> {
            assertThat(trial.cluster()).isEqualTo("b");
            assertThat(trial.replica().claim()).isNotEqualTo(first);
        });
    }

    @Test
    void theOnlyClusterGetsATrialThatRanOutAgainAfterOtherControlPlanesHadTheirTurn() {
        stored("tried", "tried-alone");
        var _ = claim("a");
        clock.move(CLAIM);

        assertThat(claim("a")).isEmpty();

        clock.move(Duration.ofSeconds(5));
        assertThat(names(claim("a"))).containsExactly("tried-alone");
    }

    @Test
    void withoutClustersNothingIsTried() {
        stored("tried", "tried-nowhere");

        assertThat(claim()).isEmpty();
        clock.move(Duration.ofMinutes(10));
        assertThat(claim()).isEmpty();

        assertThat(names(claim("a"))).containsExactly("tried-nowhere");
    }

    @Test
    void noMoreTrialsAreGivenOutThanAskedFor() {
        for (int i = 0; i < 3; i++) {
            stored("tried", "tried-many-" + i);
        }

        assertThat(probes.claim(REGION, List.of("a"), List.of(REGION), 2)).hasSize(2);
        assertThat(probes.claim(REGION, List.of("a"), List.of(REGION), 2)).hasSize(1);
        assertThat(probes.claim(REGION, List.of("a"), List.of(REGION), 2)).isEmpty();
    }

    @Test
    void eachTenantHasATrialBeforeAnyHasTwo() {
        for (int i = 0; i < 3; i++) {
            stored("tried", "tried-first-" + i);
        }
        clock.move(TICK);
        stored("tried-too", "tried-later");

        List<Probes.GivenTrial> trials = probes.claim(REGION, List.of("a"), List.of(REGION), 2);

        assertThat(names(trials)).hasSize(2).contains("tried-later");
    }

    @Test
    void twoControlPlanesThatAskAtOnceGetDifferentTrials() throws Exception {
        for (int i = 0; i < 6; i++) {
            stored("tried", "tried-shared-" + i);
        }

        List<String> given;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<Probes.GivenTrial>>> calls = IntStream.range(0, 4)
                    .<Callable<List<Probes.GivenTrial>>>mapToObj(
                            _ -> () -> probes.claim(REGION, List.of("a"), List.of(REGION), 6))
                    .toList();
            given = callers.invokeAll(calls).stream()
                    .map(Future::resultNow)
                    .flatMap(trials -> names(trials).stream())
                    .toList();
        }

        assertThat(given).doesNotHaveDuplicates();
        assertThat(Stream.concat(given.stream(), names(claim("a")).stream())).hasSize(6);
    }

    @Test
    void aTrialThatNoDataPlaneGotIsGivenOutAtOnceAndItsClaimIsWorthless() {
        stored("tried", "tried-back");
        Probes.GivenTrial given = claim("a").getFirst();
        String claim = String.valueOf(given.replica().claim());

        probes.giveBack(given);

        Probes.GivenTrial again = claim("a", "b").getFirst();
        assertThat(again.replica().claim()).isNotEqualTo(claim);
        assertThat(probes.report(
                        new Probes.ProbeTrial(
                                "tried-back", REGION, given.replica().attempt(), claim),
                        new Probes.ProbeReporter("a", true, "data-plane a", "n"),
                        List.of(),
                        null))
                .isFalse();
    }

    @Test
    void aTrialThatAnotherHasMeanwhileIsNotTakenBack() {
        stored("tried", "tried-late-back");
        Probes.GivenTrial first = claim("a").getFirst();
        clock.move(CLAIM);
        var _ = claim("a", "b").getFirst();

        probes.giveBack(first);

        assertThat(claim("a", "b")).isEmpty();
    }

    @Test
    void storageOfARegionWithoutDataPlanesIsTriedElsewhereIfNothingIsToBeProven() {
        put("/v1/accounts/tried-afar", account("tried", vouched("many-deserted", "tried-afar", "blocks")));
        put("/v1/accounts/tried-unproven", account("tried", replica("many-deserted", "tried-unproven", "blocks")));

        assertThat(names(probes.claim(REGION, List.of("a"), List.of(REGION, "many-deserted"), 10)))
                .isEmpty();
        assertThat(names(claim("a"))).containsExactly("tried-afar");
    }

    @Test
    void storageOfADeletedAccountIsNotTried() {
        stored("tried", "tried-deleted");
        admin().delete("/v1/accounts/tried-deleted").then().statusCode(204);

        assertThat(claim("a")).isEmpty();
    }

    @Test
    void storageThatIsReadyIsTriedOnlyOnRequest() throws Exception {
        stored("tried", "tried-ready");
        ready("tried-ready");
        assertThat(claim("a")).isEmpty();

        as("tenant-admin@tried").post("/v1/accounts/tried-ready/probe").then().statusCode(202);

        assertThat(names(claim("a"))).containsExactly("tried-ready");
        admin().get("/v1/accounts/tried-ready").then().body("replicas[0].state", equalTo("ready"));
    }

    @Test
    void aRequestForATrialDoesNotChangeTheAccount() {
        stored("tried", "tried-asked");
        String tag = admin().get("/v1/accounts/tried-asked").header("ETag");

        admin().post("/v1/accounts/tried-asked/probe").then().statusCode(202);

        assertThat(admin().get("/v1/accounts/tried-asked").header("ETag")).isEqualTo(tag);
        audit("account", "tried-asked").then().body("items.size()", equalTo(1));
    }

    @Test
    void onlyWhoMayChangeAnAccountHasItTried() {
        stored("tried", "tried-guarded");
        Map<String, Integer> statuses = Map.of(
                "viewer@tried", 403,
                "viewer@*", 403,
                "operator", 403,
                "tenant-admin@tried-too", 404,
                "tenant-admin@tried", 202);

        statuses.forEach((caller, status) ->
                as(caller).post("/v1/accounts/tried-guarded/probe").then().statusCode(status));
        admin().post("/v1/accounts/tried-none/probe")
                .then()
                .statusCode(404)
                .body("detail", containsString("there is no account tried-none"));
    }

    @Test
    void thePlacedClusterMakesTheTrial() {
        put("/v1/accounts/tried-placed", account("tried", replica("eu-1", "tried-placed", "blocks")));
        put("/v1/accounts/tried-placed/placements/eu-1", Map.of("cluster", "eu-1-b"))
                .then()
                .statusCode(201);

        List<Probes.GivenTrial> trials = probes.claim("eu-1", List.of("eu-1-a", "eu-1-b"), List.of("eu-1"), 10);

        assertThat(trials).extracting(Probes.GivenTrial::cluster).containsExactly("eu-1-b");
    }
}
