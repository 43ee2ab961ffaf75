package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.SeenTrait;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trials of storage: who is given them, who reports on them, and what they prove. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountTrialsTest extends RegisteredAccounts {
    @Test
    void aFailedTrialIsReportedToTheAdmin() {
        account("failing", "var/lib/failing");
        Probe probe = claim("failing");

        var _ = calls.reportProbe(ReportProbeRequest.newBuilder()
                .setId(probe.getId())
                .setNode("node-7:8085")
                .addSteps(ProbeStep.newBuilder()
                        .setName(ProbeStep.Name.CREDENTIAL)
                        .setOk(true))
                .addSteps(
                        ProbeStep.newBuilder().setName(ProbeStep.Name.WRITE).setReason("the container does not exist"))
                .build());

        Response seen = given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/accounts/failing");
        assertThat(seen.<String>path("replicas[0].state")).isEqualTo("failing");
        assertThat(seen.<String>path("replicas[0].report.by")).isEqualTo("node-7:8085");
        assertThat(seen.<String>path("replicas[0].report.steps[1].reason")).isEqualTo("the container does not exist");
    }

    @Test
    void aReadyStorageIsTriedWhenAnAdminAsksAndStaysInUseIfItFails() {
        account("asked", "var/lib/asked");
        report(claim("asked"), ALL);

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/accounts/asked/probe")
                .then()
                .statusCode(202);
        report(claim("asked"), ProbeStep.Name.CREDENTIAL);

        Response seen = seen("asked");
        assertThat(seen.<Boolean>path("replicas[0].report.ok")).isFalse();
        assertThat(seen.<String>path("replicas[0].state")).isEqualTo("ready");
    }

    @Test
    void whoWasNotGivenATrialDoesNotReportOnIt() {
        named("trial-of-another", "customer", "trial-of-another", "managed-identity", false);
        Probe probe = claim("trial-of-another");
        String forged = probe.getId().substring(0, probe.getId().lastIndexOf('/') + 1);

        for (String claim : List.of("", "null", "x".repeat(43))) {
            assertThatThrownBy(
                            () -> report(probe.toBuilder().setId(forged + claim).build(), ALL))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
        }

        assertThat(seen("trial-of-another").<String>path("replicas[0].state")).isEqualTo("unproven");
        report(probe, ALL);
        assertThat(seen("trial-of-another").<String>path("replicas[0].state")).isEqualTo("ready");
    }

    @Test
    void theLogNamesADataPlaneByItsCredentialAndNotAsItCallsItself() {
        account("named-by-itself", "var/lib/named-by-itself");
        Probe probe = claim("named-by-itself");

        var _ = calls.reportProbe(ReportProbeRequest.newBuilder()
                .setId(probe.getId())
                .setNode("local-admin\u001b[2J")
                .addSteps(ProbeStep.newBuilder().setName(ProbeStep.Name.WRITE).setReason("full\u001b[31m"))
                .build());

        Response log = given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .queryParam("kind", "account")
                .queryParam("name", "named-by-itself")
                .get("/v1/audit");
        assertThat(log.<String>path("items[0].action")).isEqualTo("probe");
        assertThat(log.<String>path("items[0].actor")).isEqualTo("data-plane of every cluster");
        assertThat(seen("named-by-itself").<String>path("replicas[0].report.by"))
                .isEqualTo("local-admin?[2J");
        assertThat(seen("named-by-itself").<String>path("replicas[0].report.steps[0].reason"))
                .isEqualTo("full?[31m");
    }

    @Test
    void theBlobOfAProofHasANameThatDataPlanesRead() {
        named("provable", "customer", "provable", "managed-identity", false);

        assertThat(claim("provable").getNonceBlob()).matches("kv/v1/owner/[0-9a-f]{64}");
    }

    @Test
    void storageIsNotReadyBeforeItsOwnershipIsProven() {
        named("unproven", "customer", "unproven", "managed-identity", false);
        Probe probe = claim("unproven");
        assertThat(probe.getNonce()).isNotEmpty();

        report(probe, ProbeStep.Name.CREDENTIAL, ProbeStep.Name.WRITE, ProbeStep.Name.READ, ProbeStep.Name.DELETE);

        assertThat(seen("unproven").<String>path("replicas[0].state")).isEqualTo("failing");
    }

    @Test
    void whatThePlatformsIdentityFoundWhereNothingIsProvenIsNotTold() {
        named("curious", "customer", "curious", "managed-identity", false);
        Probe probe = claim("curious");

        var _ = calls.reportProbe(ReportProbeRequest.newBuilder()
                .setId(probe.getId())
                .setNode("n")
                .addSteps(ProbeStep.newBuilder()
                        .setName(ProbeStep.Name.CREDENTIAL)
                        .setReason("REFUSED: no such container"))
                .build());

        assertThat(seen("curious").asString())
                .doesNotContain("no such container")
                .contains("the proof could not be read");
    }

    @Test
    void settingsThatStorageHasOrHidesAreWarningsOfTheReport() {
        account("warned", "var/lib/warned");
        Probe probe = claim("warned");

        reportTraits(
                probe,
                ALL,
                SeenTrait.newBuilder()
                        .setName("versioning")
                        .setSight(SeenTrait.Sight.PRESENT)
                        .build(),
                SeenTrait.newBuilder()
                        .setName("legal_hold")
                        .setReason("FORBIDDEN: answered 403")
                        .build(),
                SeenTrait.newBuilder()
                        .setName("soft_delete")
                        .setSight(SeenTrait.Sight.ABSENT)
                        .build());

        Response seen = seen("warned");
        assertThat(seen.<String>path("replicas[0].state")).isEqualTo("ready");
        assertThat(seen.<List<String>>path("replicas[0].report.warnings.name"))
                .containsExactly("versioning", "legal_hold");
        assertThat(seen.<List<Boolean>>path("replicas[0].report.warnings.known"))
                .containsExactly(true, false);
        assertThat(seen.<String>path("replicas[0].report.warnings[0].text")).contains("turn versioning off");
        assertThat(seen.<String>path("replicas[0].report.warnings[1].text"))
                .startsWith("cannot be seen: FORBIDDEN: answered 403")
                .contains("end the hold");
    }

    @Test
    void settingsThatNobodyLookedAtAreNoWarningsAndNotAbsentEither() {
        account("not-looked-at", "var/lib/not-looked-at");

        report(claim("not-looked-at"), ALL);

        assertThat(seen("not-looked-at").<Object>path("replicas[0].report.warnings"))
                .isNull();
    }

    @Test
    void settingsOfAPlaceThatIsNotProvenAreNotTold() {
        named("curious-of-settings", "customer", "curious-of-settings", "managed-identity", false);

        reportTraits(
                claim("curious-of-settings"),
                new ProbeStep.Name[] {ProbeStep.Name.CREDENTIAL},
                SeenTrait.newBuilder()
                        .setName("versioning")
                        .setSight(SeenTrait.Sight.PRESENT)
                        .build());

        assertThat(seen("curious-of-settings").asString()).doesNotContain("versioning");
    }

    private void reportTraits(Probe probe, ProbeStep.Name[] steps, SeenTrait... traits) {
        ReportProbeRequest.Builder report = ReportProbeRequest.newBuilder()
                .setId(probe.getId())
                .setNode("n")
                .addAllTraits(List.of(traits));
        for (ProbeStep.Name step : steps) {
            report.addSteps(ProbeStep.newBuilder().setName(step).setOk(true));
        }
        var _ = calls.reportProbe(report.build());
    }

    @Test
    void whoProvesAPlaceFirstOwnsIt() {
        named("first-named", "customer", "contended", "managed-identity", false);
        named("first-proven", "provider", "contended", "managed-identity", false);
        Probe named = claim("first-named");
        Probe proven = claim("first-proven");

        report(proven, ALL);
        report(named, ALL);

        assertThat(seen("first-proven").<String>path("replicas[0].state")).isEqualTo("ready");
        assertThat(seen("first-named").<String>path("replicas[0].state")).isEqualTo("failing");
        assertThat(seen("first-named").asString()).contains("another account's");
    }

    @Test
    void aNewCredentialForAProvenPlaceIsTriedWhileItServes() {
        String key = key("customer");
        named("re-keyed", "customer", "re-keyed", "managed-identity", false);
        report(claim("re-keyed"), ALL);

        named("re-keyed", "customer", "re-keyed", "env:OTHER", false);

        assertThat(resolve(key, "re-keyed")
                        .getGranted()
                        .getAccount()
                        .getStorage()
                        .getAzure()
                        .getCredential())
                .isEqualTo("env:OTHER");
        Probe again = claim("re-keyed");
        assertThat(again.getNonce()).isEmpty();
        report(again, ProbeStep.Name.CREDENTIAL, ProbeStep.Name.WRITE, ProbeStep.Name.READ, ProbeStep.Name.DELETE);
        assertThat(seen("re-keyed").<String>path("replicas[0].state")).isEqualTo("ready");
    }

    @Test
    void aPlaceNobodyVouchesForAnyMoreIsToBeProven() {
        named("trusted", "customer", "trusted", "managed-identity", true);
        report(claim("trusted"), ALL);

        named("trusted", "customer", "trusted", "managed-identity", false);

        assertThat(seen("trusted").<Boolean>path("ready")).isFalse();
        assertThat(claim("trusted").getNonce()).isNotEmpty();
    }

    @Test
    void whatWasFoundWithTheCredentialOfBeforeSaysNothingOfTheNewOne() {
        named("overtaken", "customer", "overtaken", "env:FIRST", true);
        Probe first = claim("overtaken");
        named("overtaken", "customer", "overtaken", "env:SECOND", true);

        report(first, ALL);

        assertThat(seen("overtaken").<String>path("replicas[0].state")).isEqualTo("unproven");
        Probe second = claim("overtaken");
        assertThat(second.getStorage().getAzure().getCredential()).isEqualTo("env:SECOND");
        report(second, ALL);
        assertThat(seen("overtaken").<String>path("replicas[0].state")).isEqualTo("ready");
    }

    @Test
    void aFolderMayHaveAnyNameThatAFileSystemTakes() {
        String key = key("customer");
        account("spaced", "var/lib/my%20folder/50%25/gr%C3%B6%C3%9Fe%23");
        assertThat(seen("spaced").<String>path("replicas[0].endpoint"))
                .isEqualTo("file:///var/lib/my%20folder/50%25/gr%C3%B6%C3%9Fe%23");

        makeReady("spaced");

        assertThat(resolve(key, "spaced")
                        .getGranted()
                        .getAccount()
                        .getStorage()
                        .getFilesystem()
                        .getPath())
                .isEqualTo("/var/lib/my folder/50%/größe#");
    }

    @Test
    void aPlaceThatCannotBeToldKeepsNoOthersFromBeingTried() throws Exception {
        account("untellable", "var/lib/untellable");
        account("beside-it", "var/lib/beside-it");
        account("after-it", "var/lib/after-it");
        execute("""
                update replica set endpoint = 'file:///a b', probe_after = '2000-01-01'
                where resource_name = 'untellable'""");
        execute("update replica set probe_after = '2000-01-02' where resource_name in ('beside-it', 'after-it')");

        assertThat(claim("beside-it").getResourceName()).isEqualTo("beside-it");
        assertThat(claim("after-it").getResourceName()).isEqualTo("after-it");
        execute("update replica set endpoint = 'file:///ab' where resource_name = 'untellable'");
    }

    private static void named(String name, String tenant, String host, String credential, boolean vouched) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                tenant,
                                "replicas",
                                List.of(Map.of(
                                        "region",
                                        "eu-1",
                                        "endpoint",
                                        "https://" + host + ".blob.core.windows.net",
                                        "container",
                                        "blocks",
                                        "credential",
                                        credential,
                                        "vouched",
                                        vouched))))
                .then()
                .statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    private static Response seen(String account) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/accounts/" + account);
    }

    @Test
    void oneTenantsManyStoragesKeepNoOthersWaiting() throws Exception {
        put("/v1/tenants/crowd", Map.of());
        execute("""
                insert into account select 'crowd-' || i, 'crowd', 'eu-1', 'ACTIVE', 0, 0, now(), now(), 0, '{}', null,
                    null, '{}', null from generate_series(1, 10000) i""");
        execute("""
                insert into replica (resource_name, region, endpoint, container, credential, create_container, vouched,
                    nonce, state, probe_after, proven, attempt)
                select 'crowd-' || i, 'eu-1', 'https://crowd.blob.core.windows.net', 'c' || i, 'managed-identity', false,
                    false, 'n' || i, 'UNPROVEN', now() - interval '1 hour', false, 'n' || i
                from generate_series(1, 10000) i""");
        try {
            account("beside-a-crowd", "var/lib/beside-a-crowd");

            assertThat(claim("beside-a-crowd").getResourceName()).isEqualTo("beside-a-crowd");
        } finally {
            execute("delete from replica where resource_name like 'crowd-%'");
            execute("delete from account where resource_name like 'crowd-%'");
        }
    }
}
