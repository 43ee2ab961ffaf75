package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.accounts.key.Secrets;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports of trials: what each changes, and which do not count. */
@QuarkusTest
class ProbeReportsTest extends RunningRegistry {
    private static final String REGION = "many-reported";
    private static final List<ProbeReport.Step> GOOD = steps("credential", "ownership", "write", "read", "delete");

    @Inject
    @SuppressWarnings("NullAway.Init")
    Probes probes;

    private static List<ProbeReport.Step> steps(String... names) {
        return Stream.of(names)
                .map(name -> new ProbeReport.Step(name, true, "", 5))
                .toList();
    }

    private static List<ProbeReport.Step> failed(String reason) {
        return List.of(new ProbeReport.Step("credential", false, reason, 5));
    }

    @BeforeEach
    void noOtherStorageIsTried() throws SQLException {
        database().execute("update replica set probe_after = '2999-01-01Z', asked = false");
        tenant("reported");
        tenant("reported-too");
    }

    private static void stored(String name, Map<String, Object> replica) {
        put("/v1/accounts/" + name, account("reported", replica)).then().statusCode(201);
    }

    private static Map<String, Object> toProve(String name) {
        return replica(REGION, name, "blocks");
    }

    private Probes.GivenTrial claim(String name, String... clusters) {
        return probes.claim(REGION, List.of(clusters), List.of(REGION), 10).stream()
                .filter(trial -> trial.replica().resourceName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Probes.ProbeTrial trial(Probes.GivenTrial given) {
        Replica replica = given.replica();
        return new Probes.ProbeTrial(
                replica.resourceName(), replica.region(), replica.attempt(), String.valueOf(replica.claim()));
    }

    private boolean report(Probes.GivenTrial given, boolean alone, List<ProbeReport.Step> steps) {
        return probes.report(
                trial(given),
                new Probes.ProbeReporter(given.cluster(), alone, "data-plane " + given.cluster(), "node-1"),
                steps,
                null);
    }

    private static ValidatableResponse shown(String name) {
        return admin().get("/v1/accounts/" + name).then().statusCode(200);
    }

    @Test
    void anOnlyClusterThatFindsTheProofMakesTheStorageReady() {
        stored("reported-good", toProve("reported-good"));

        assertThat(report(claim("reported-good", "a"), true, GOOD)).isTrue();

        shown("reported-good")
                .body("ready", equalTo(true))
                .body("replicas[0].state", equalTo("ready"))
                .body("replicas[0].proof", nullValue())
                .body("replicas[0].report.ok", equalTo(true))
                .body("replicas[0].report.by", equalTo("node-1"))
                .body(
                        "replicas[0].report.steps.name",
                        equalTo(List.of("credential", "ownership", "write", "read", "delete")));
    }

    @Test
    void aChangeOfStateIsInTheLogWithItsReporterAndDataPlanesAskAgain() {
        stored("reported-logged", toProve("reported-logged"));
        Probes.GivenTrial given = claim("reported-logged", "a");

        assertThat(affected(() -> report(given, true, GOOD)).resourceNames()).containsExactly("reported-logged");

        audit("account", "reported-logged")
                .then()
                .body("items[0].action", equalTo("probe"))
                .body("items[0].actor", equalTo("data-plane a"))
                .body("items[0].role", equalTo("operator"))
                .body("items[0].tenant", equalTo("reported"))
                .body("items[0].before.ready", equalTo(false))
                .body("items[0].after.ready", equalTo(true));
    }

    @Test
    void aReportThatChangesNoStateIsNotInTheLog() {
        stored("reported-again", toProve("reported-again"));
        report(claim("reported-again", "a"), true, failed("one"));
        String tag = admin().get("/v1/accounts/reported-again").header("ETag");
        clock.move(Duration.ofSeconds(15));

        assertThat(affected(() -> report(claim("reported-again", "a", "b"), true, failed("two")))
                        .resourceNames())
                .isEmpty();

        assertThat(admin().get("/v1/accounts/reported-again").header("ETag")).isEqualTo(tag);
    }

    @Test
    void aProofThatOneOfSeveralClustersFoundWaitsForAnotherOne() {
        stored("reported-twice", toProve("reported-twice"));
        Probes.GivenTrial first = claim("reported-twice", "a", "b");
        assertThat(report(first, false, GOOD)).isTrue();
        shown("reported-twice")
                .body("replicas[0].state", equalTo("unproven"))
                .body("replicas[0].proof", notNullValue())
                .body("replicas[0].report.ok", equalTo(false))
                .body(
                        "replicas[0].report.steps.reason",
                        hasItem(containsString("another cluster of the region has to")));

        Probes.GivenTrial second = claim("reported-twice", "a", "b");
        assertThat(second.cluster()).isNotEqualTo(first.cluster());
        assertThat(report(second, false, GOOD)).isTrue();

        shown("reported-twice").body("replicas[0].state", equalTo("ready"));
    }

    @Test
    void theSameClusterDoesNotConfirmItsOwnFinding() {
        stored("reported-same", toProve("reported-same"));
        report(claim("reported-same", "a"), false, GOOD);
        clock.move(Duration.ofMinutes(1));

        report(claim("reported-same", "a"), false, GOOD);

        shown("reported-same").body("replicas[0].state", equalTo("unproven"));
    }

    @Test
    void aFailureOfAnotherClusterDoesNotUndoAFinding() {
        stored("reported-kept", toProve("reported-kept"));
        Probes.GivenTrial first = claim("reported-kept", "a", "b");
        report(first, false, GOOD);
        report(claim("reported-kept", "a", "b"), false, failed("the other cannot reach it"));
        clock.move(Duration.ofMinutes(1));

        Probes.GivenTrial third = claim("reported-kept", "c", first.cluster());
        assertThat(third.cluster()).isEqualTo("c");
        report(third, false, GOOD);

        shown("reported-kept").body("replicas[0].state", equalTo("ready"));
    }

    @Test
    void storageThatAnAdminVouchesForIsReadyByOneClustersReport() {
        stored("reported-vouched", vouched(REGION, "reported-vouched", "blocks"));

        report(claim("reported-vouched", "a", "b"), false, steps("credential", "write", "read", "delete"));

        shown("reported-vouched").body("replicas[0].state", equalTo("ready"));
    }

    @Test
    void aTrialThatEndedEarlyMakesNothingReady() {
        stored("reported-early", vouched(REGION, "reported-early", "blocks"));

        report(claim("reported-early", "a"), true, steps("credential", "write", "read"));

        shown("reported-early").body("replicas[0].state", equalTo("failing"));
    }

    @Test
    void aFailureIsShownWithItsReasonIfTheStorageIsTheTenants() {
        stored("reported-failing", vouched(REGION, "reported-failing", "blocks"));

        report(claim("reported-failing", "a"), true, failed("403 from the storage"));

        shown("reported-failing")
                .body("replicas[0].state", equalTo("failing"))
                .body("replicas[0].report.steps[0].name", equalTo("credential"))
                .body("replicas[0].report.steps[0].reason", equalTo("403 from the storage"));
    }

    @Test
    void ofStorageThatIsNotProvenNoFindingIsShown() {
        stored("reported-secret", toProve("reported-secret"));

        report(claim("reported-secret", "a"), true, failed("403 for the account of somebody"));

        shown("reported-secret")
                .body("replicas[0].report.steps.size()", equalTo(1))
                .body("replicas[0].report.steps[0].name", equalTo("ownership"))
                .body("replicas[0].report.steps[0].reason", containsString("the proof could not be read"));
    }

    @Test
    void storageThatIsReadyStaysReadyWhenATrialFails() {
        stored("reported-steady", toProve("reported-steady"));
        report(claim("reported-steady", "a"), true, GOOD);
        admin().post("/v1/accounts/reported-steady/probe");
        clock.move(Duration.ofSeconds(1));

        report(claim("reported-steady", "a", "b"), true, failed("away"));

        shown("reported-steady")
                .body("replicas[0].state", equalTo("ready"))
                .body("replicas[0].report.ok", equalTo(false))
                .body("replicas[0].report.steps[0].reason", equalTo("away"));
    }

    @Test
    void storageThatFailsIsTriedAgainAfterTenSecondsAndThenAfterTwiceAsLong() {
        stored("reported-retried", vouched(REGION, "reported-retried", "blocks"));
        report(claim("reported-retried", "a"), true, failed("one"));
        clock.move(Duration.ofSeconds(10).minusNanos(1_000));
        assertThat(probes.claim(REGION, List.of("b"), List.of(REGION), 10)).isEmpty();
        clock.move(Duration.ofNanos(1_000));

        report(claim("reported-retried", "b"), true, failed("two"));

        clock.move(Duration.ofSeconds(20).minusNanos(1_000));
        assertThat(probes.claim(REGION, List.of("a"), List.of(REGION), 10)).isEmpty();
        clock.move(Duration.ofNanos(1_000));
        assertThat(claim("reported-retried", "a").cluster()).isEqualTo("a");
    }

    @Test
    void aDataPlaneThatNeverHadTheTrialIsTurnedAway() {
        stored("reported-forged", toProve("reported-forged"));
        Probes.ProbeTrial trial = trial(claim("reported-forged", "a"));

        assertThat(probes.report(
                        new Probes.ProbeTrial(trial.resourceName(), trial.region(), trial.attempt(), "guessed"),
                        new Probes.ProbeReporter("a", true, "data-plane a", "n"),
                        GOOD,
                        null))
                .isFalse();

        shown("reported-forged").body("replicas[0].state", equalTo("unproven")).body("replicas[0].report", nullValue());
    }

    @Test
    void aReportOnTheFormerCredentialDoesNotCount() {
        stored("reported-former", toProve("reported-former"));
        Probes.GivenTrial given = claim("reported-former", "a");
        Map<String, Object> changed = toProve("reported-former");
        changed.put("credential", "env:OTHER");
        put("/v1/accounts/reported-former", account("reported", changed)).then().statusCode(200);

        assertThat(report(given, true, GOOD)).isTrue();

        shown("reported-former").body("replicas[0].state", equalTo("unproven")).body("replicas[0].report", nullValue());
    }

    @Test
    void aReportOnAnAccountThatDoesNotExistIsForgotten() {
        assertThat(probes.report(
                        new Probes.ProbeTrial("reported-none", REGION, "attempt", "claim"),
                        new Probes.ProbeReporter("a", true, "data-plane a", "n"),
                        GOOD,
                        null))
                .isTrue();
    }

    @Test
    void ofTwoAccountsThatNameOneContainerTheFirstToProveItHasIt() {
        stored("reported-first", replica(REGION, "reported-contested", "blocks"));
        stored("reported-second", replica(REGION, "reported-contested", "blocks"));
        List<Probes.GivenTrial> trials = probes.claim(REGION, List.of("a"), List.of(REGION), 10);
        assertThat(trials).hasSize(2);

        trials.forEach(trial -> report(trial, true, GOOD));

        shown(trials.getFirst().replica().resourceName()).body("replicas[0].state", equalTo("ready"));
        shown(trials.getLast().replica().resourceName())
                .body("replicas[0].state", equalTo("failing"))
                .body("replicas[0].report.steps.reason", hasItem("the place is another account's"));
    }

    @Test
    void warningsOfTheStoragesSettingsAreShown() {
        stored("reported-warned", vouched(REGION, "reported-warned", "blocks"));
        Probes.GivenTrial given = claim("reported-warned", "a");

        probes.report(
                trial(given),
                new Probes.ProbeReporter("a", true, "data-plane a", "n"),
                steps("credential", "write", "read", "delete"),
                List.of(StorageWarning.present("versioning"), StorageWarning.unknown("soft_delete", "403")));

        shown("reported-warned")
                .body("replicas[0].report.warnings.name", equalTo(List.of("versioning", "soft_delete")))
                .body("replicas[0].report.warnings.known", equalTo(List.of(true, false)))
                .body("replicas[0].report.warnings[1].text", containsString("cannot be seen: 403"));
    }

    @Test
    void theProofIsABlobWhoseNameIsTheHashOfItsContent() {
        stored("reported-proof", toProve("reported-proof"));

        String content = admin().get("/v1/accounts/reported-proof").path("replicas[0].proof.content");

        shown("reported-proof").body("replicas[0].proof.blob", equalTo(Probes.blob(content)));
        assertThat(Probes.blob(content))
                .isEqualTo("kv/v1/owner/" + java.util.HexFormat.of().formatHex(Secrets.sha256(content)));
    }
}
