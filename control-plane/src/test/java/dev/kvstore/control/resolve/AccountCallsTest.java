package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReadThrough;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountCallsTest {
    private static final ProbeStep.Name[] ALL = {
        ProbeStep.Name.CREDENTIAL,
        ProbeStep.Name.OWNERSHIP,
        ProbeStep.Name.WRITE,
        ProbeStep.Name.READ,
        ProbeStep.Name.DELETE
    };

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @SuppressWarnings("NullAway.Init")
    private AccountServiceGrpc.AccountServiceBlockingStub calls;

    private @Nullable Iterator<WatchResponse> watch;

    private final Map<String, Probe> given = new HashMap<>();

    @BeforeEach
    void connect() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        calls = stub(TestDatabase.JOIN_TOKEN);
        put("/v1/regions/eu-1", Map.of());
        put("/v1/tenants/customer", Map.of());
        put("/v1/tenants/provider", Map.of());
    }

    private AccountServiceGrpc.AccountServiceBlockingStub stub(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return AccountServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(Patience.LIMIT);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    private static Response put(String path, Object body) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path);
    }

    private static void delete(String path) {
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .delete(path)
                .then()
                .statusCode(204);
    }

    private static String key(String tenant) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/tenants/" + tenant + "/keys")
                .path("key");
    }

    private static void account(String name, String folder) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "customer",
                                "replicas",
                                List.of(Map.of("region", "eu-1", "endpoint", "file:///" + folder, "vouched", true))))
                .then()
                .statusCode(201);
    }

    private ResolveResponse resolve(String key, String resource) {
        return calls.resolve(ResolveRequest.newBuilder()
                .setKeyId(key.split("_", 3)[1])
                .setKeySha256(sha256(key))
                .setResourceName(resource)
                .setRegion("eu-1")
                .build());
    }

    private static ByteString sha256(String key) {
        try {
            return ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void makeReady(String resource) {
        report(claim(resource), ALL);
    }

    @Test
    void anAccountIsGrantedOnceItsStorageWasFoundGood() {
        String key = key("customer");
        account("tried", "var/lib/tried");
        assertThat(resolve(key, "tried").hasNotGranted()).isTrue();

        makeReady("tried");

        ResolveResponse granted = resolve(key, "tried");
        assertThat(granted.getGranted()
                        .getAccount()
                        .getStorage()
                        .getFilesystem()
                        .getPath())
                .isEqualTo("/var/lib/tried");
        assertThat(granted.getGranted().getRightsList())
                .extracting(Right::getAccess)
                .containsExactlyInAnyOrder(Right.Access.READ, Right.Access.WRITE);
    }

    @Test
    void anAnswerSaysWhoseTheKeyIsWhateverItMayDo() {
        String key = key("customer");
        account("theirs", "var/lib/theirs");
        makeReady("theirs");

        assertThat(resolve(key, "theirs").getTenant()).isEqualTo("customer");
        assertThat(resolve(key, "nothing").getTenant()).isEqualTo("customer");
        assertThat(resolve(key, "").getTenant()).isEqualTo("customer");
        assertThat(resolve("kv_0123456789abcdef_made-up", "theirs").getTenant()).isEmpty();
    }

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
    void aGrantOfTheOwnerLetsAnotherTenantsKeyIn() {
        String key = key("provider");
        account("granted", "var/lib/granted");
        makeReady("granted");
        assertThat(resolve(key, "granted").hasNotGranted()).isTrue();

        put(
                "/v1/accounts/granted/grants/p",
                Map.of("grantee", "provider", "access", List.of("read"), "partition", "m1"));

        Right right = resolve(key, "granted").getGranted().getRights(0);
        assertThat(right.getAccess()).isEqualTo(Right.Access.READ);
        assertThat(right.getPartition()).isEqualTo("m1");
        delete("/v1/accounts/granted/grants/p");
        assertThat(resolve(key, "granted").hasNotGranted()).isTrue();
    }

    @Test
    void aRevokedOrWrongKeyIsUnknown() {
        String key = key("customer");
        assertThat(resolve(key, "").hasNotGranted()).isTrue();
        assertThat(resolve(key + "x", "").hasUnknownKey()).isTrue();
        assertThat(resolve("kv_nosuchkey_x", "").hasUnknownKey()).isTrue();

        delete("/v1/tenants/customer/keys/" + key.split("_", 3)[1]);

        assertThat(resolve(key, "").hasUnknownKey()).isTrue();
    }

    @Test
    void aWatchHearsOfARevocation() {
        String key = key("customer");
        String id = key.split("_", 3)[1];
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        long begin = watch.next().getChange();

        delete("/v1/tenants/customer/keys/" + id);

        WatchResponse heard = watch.next();
        while (!heard.getKeyIdsList().contains(id)) {
            heard = watch.next();
        }
        assertThat(heard.getChange()).isGreaterThan(begin);
    }

    @Test
    void anAnswerSaysForHowLongItMayServeWithoutThisControlPlaneIfAnAdminHasSaid() {
        String key = key("customer");
        account("usual", "var/lib/usual");
        makeReady("usual");
        account("careful", "var/lib/careful");
        makeReady("careful");

        offline("careful", 60);

        assertThat(resolve(key, "usual").getGranted().getAccount().hasMaxOffline())
                .isFalse();
        assertThat(resolve(key, "careful").getGranted().getAccount().getMaxOffline())
                .isEqualTo(Duration.newBuilder().setSeconds(60).build());
    }

    @Test
    void aGuestsAnswerSaysForHowLongItMayServeToo() {
        String key = key("provider");
        account("lent-offline", "var/lib/lent-offline");
        makeReady("lent-offline");
        put("/v1/accounts/lent-offline/grants/g", Map.of("grantee", "provider", "access", List.of("read")));

        offline("lent-offline", 0);

        assertThat(resolve(key, "lent-offline").getGranted().getAccount().hasMaxOffline())
                .isTrue();
    }

    @Test
    void aWatchHearsThatAnAccountMayBeServedForAnotherTimeWithoutThisControlPlane() {
        account("heard-of", "var/lib/heard-of");
        makeReady("heard-of");
        long before = resolve(key("customer"), "heard-of").getChange();

        offline("heard-of", 60);

        Iterator<WatchResponse> mine = Objects.requireNonNull(watch);
        WatchResponse heard = mine.next();
        while (!heard.getResourceNamesList().contains("heard-of") || heard.getChange() <= before) {
            heard = mine.next();
        }
        assertThat(heard.getReset()).isFalse();
    }

    private static void offline(String name, int maxOfflineSeconds) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "customer",
                                "maxOfflineSeconds",
                                maxOfflineSeconds,
                                "replicas",
                                List.of(Map.of(
                                        "region", "eu-1", "endpoint", "file:///var/lib/" + name, "vouched", true))))
                .then()
                .statusCode(200);
    }

    @Test
    void aWatchThatWasAwayHearsOfWhatItMissed() {
        Iterator<WatchResponse> before = calls.watch(WatchRequest.getDefaultInstance());
        long since = before.next().getChange();
        String key = key("customer");
        String id = key.split("_", 3)[1];

        Iterator<WatchResponse> after =
                calls.watch(WatchRequest.newBuilder().setSince(since).build());

        assertThat(after.next().getKeyIdsList()).contains(id);
    }

    @Test
    void withoutTheJoinTokenNothingIsAnswered() {
        for (String token : List.of("", "wrong", TestDatabase.ADMIN_TOKEN)) {
            assertThatThrownBy(() -> stub(token).resolve(ResolveRequest.getDefaultInstance()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
        }
    }

    @Test
    void aBadFieldIsNamed() {
        assertThatThrownBy(() ->
                        calls.resolve(ResolveRequest.newBuilder().setKeyId("a").build()))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(e.getStatus().getDescription()).contains("key_sha256");
                });
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

    /** The trial of an account's storage, which is given to the one data plane that this test has. */
    private Probe claim(String resource) {
        Iterator<WatchResponse> mine = watch;
        if (mine == null) {
            mine = calls.watch(
                    WatchRequest.newBuilder().setRegion("eu-1").setNode("n").build());
            mine.next();
            watch = mine;
        }
        while (!given.containsKey(resource)) {
            mine.next().getProbesList().forEach(probe -> given.put(probe.getResourceName(), probe));
        }
        return Objects.requireNonNull(given.remove(resource));
    }

    private void report(Probe probe, ProbeStep.Name... steps) {
        ReportProbeRequest.Builder report =
                ReportProbeRequest.newBuilder().setId(probe.getId()).setNode("n");
        for (ProbeStep.Name step : steps) {
            report.addSteps(ProbeStep.newBuilder().setName(step).setOk(true));
        }
        var _ = calls.reportProbe(report.build());
    }

    private static Response seen(String account) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/accounts/" + account);
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
    void aRegionReadsThroughToAnotherThatWasFoundGoodAndThatOneToNone() throws Exception {
        put("/v1/regions/us-1", Map.of());
        String key = key("customer");
        put(
                "/v1/accounts/through",
                Map.of(
                        "tenant",
                        "customer",
                        "readThrough",
                        Map.of("from", "us-1", "withinMillis", 1_500),
                        "replicas",
                        List.of(
                                Map.of("region", "eu-1", "endpoint", "file:///var/lib/through-eu", "vouched", true),
                                Map.of("region", "us-1", "endpoint", "file:///var/lib/through-us", "vouched", true))));
        execute("update replica set state = 'READY' where resource_name = 'through' and region = 'eu-1'");
        assertThat(resolve(key, "through").getGranted().getAccount().hasReadThrough())
                .isFalse();

        execute("update replica set state = 'READY' where resource_name = 'through'");

        ReadThrough through = resolve(key, "through").getGranted().getAccount().getReadThrough();
        assertThat(through.getRegion()).isEqualTo("us-1");
        assertThat(through.getStorage().getFilesystem().getPath()).isEqualTo("/var/lib/through-us");
        assertThat(through.getWithin())
                .isEqualTo(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(1)
                        .setNanos(500_000_000)
                        .build());
        ResolveResponse there = calls.resolve(ResolveRequest.newBuilder()
                .setKeyId(key.split("_", 3)[1])
                .setKeySha256(sha256(key))
                .setResourceName("through")
                .setRegion("us-1")
                .build());
        assertThat(there.getGranted().getAccount().getStorage().getFilesystem().getPath())
                .isEqualTo("/var/lib/through-us");
        assertThat(there.getGranted().getAccount().hasReadThrough()).isFalse();
    }

    @Test
    void whereARegionsStorageIsNotReadyTheHomesServes() {
        put("/v1/regions/us-1", Map.of());
        String key = key("customer");
        account("widening", "var/lib/widening");
        makeReady("widening");
        put(
                "/v1/accounts/widening",
                Map.of(
                        "tenant",
                        "customer",
                        "homeRegion",
                        "eu-1",
                        "replicas",
                        List.of(
                                Map.of("region", "eu-1", "endpoint", "file:///var/lib/widening", "vouched", true),
                                Map.of("region", "us-1", "endpoint", "file:///var/lib/wider", "vouched", true))));

        ResolveResponse there = calls.resolve(ResolveRequest.newBuilder()
                .setKeyId(key.split("_", 3)[1])
                .setKeySha256(sha256(key))
                .setResourceName("widening")
                .setRegion("us-1")
                .build());

        assertThat(there.getGranted().getAccount().getStorage().getFilesystem().getPath())
                .isEqualTo("/var/lib/widening");
    }

    @Test
    void aGrantToOneKeyIsForThoseThatTakeItsPlace() {
        account("pinned", "var/lib/pinned");
        makeReady("pinned");
        String key = key("provider");
        String id = key.split("_", 3)[1];
        put("/v1/accounts/pinned/grants/p", Map.of("grantee", "provider", "keyId", id, "access", List.of("read")));

        String next = given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(Map.of())
                .post("/v1/tenants/provider/keys/" + id + "/rotate")
                .path("key");

        assertThat(resolve(next, "pinned").hasGranted()).isTrue();
        assertThat(resolve(key, "pinned").hasGranted()).isTrue();
        assertThat(resolve(key("provider"), "pinned").hasNotGranted()).isTrue();
    }

    @Test
    void whoIsRefusedByADataPlaneIsInTheListOfRefusals() {
        String key = key("provider");

        assertThat(resolve(key, "not-for-provider").hasNotGranted()).isTrue();

        org.awaitility.Awaitility.await()
                .atMost(Patience.LIMIT)
                .until(() -> given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                        .queryParam("actor", "key " + key.split("_", 3)[1])
                        .get("/v1/refusals")
                        .<List<String>>path("items.what")
                        .contains("use not-for-provider"));
    }

    private static void execute(String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        TestDatabase.database().url(), TestDatabase.database().user(), "");
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private static WatchResponse awaitReset(Iterator<WatchResponse> watch) {
        WatchResponse heard = watch.next();
        while (!heard.getReset()) {
            heard = watch.next();
        }
        return heard;
    }

    @Test
    void aDatabaseOfAnEarlierMomentHasWatchersForgetEverything() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        // Without a number it begins with now, which is when it says something.
        watch.next();
        String id = key("customer").split("_", 3)[1];
        WatchResponse heard = watch.next();
        while (!heard.getKeyIdsList().contains(id)) {
            heard = watch.next();
        }

        execute("delete from change where id >= " + heard.getChange());

        assertThat(awaitReset(watch).getChange()).isLessThan(heard.getChange());
    }

    @Test
    void aChangeThatTouchesEverybodyHasWatchersForgetEverything() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        long begin = watch.next().getChange();

        execute("""
                insert into change (at, actor, role, action, kind, name, key_ids, resource_names)
                values (now(), 'test', 'platform-admin', 'update', 'tenant', 'large', '{}', '{*}')""");

        assertThat(awaitReset(watch).getChange()).isGreaterThan(begin);
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
}
