package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.ReadThrough;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A data plane asks about a key and an account: the answers it gets. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountAnswersTest extends RegisteredAccounts {
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
    void onlyTheHolderOfAKeyIsToldThatItHasExpired() throws Exception {
        String key = key("customer");
        String id = key.split("_", 3)[1];
        execute("update api_key set expires_at = now() - interval '1 minute' where id = '" + id + "'");

        assertThat(resolve(key, "").getUnknownKey().getExpired()).isTrue();
        assertThat(resolve(key + "x", "").hasUnknownKey()).isTrue();
        assertThat(resolve(key + "x", "").getUnknownKey().getExpired()).isFalse();

        delete("/v1/tenants/customer/keys/" + id);
        assertThat(resolve(key, "").getUnknownKey().getExpired()).isFalse();
    }

    @Test
    void onlyKeysWithRightsAreToldThatNoTrialOfAStorageHasSucceeded() {
        String stranger = key("provider");
        account("unready", "var/lib/unready");

        assertThat(resolve(key("customer"), "unready").getNotGranted().getNotReady())
                .isTrue();
        assertThat(resolve(stranger, "unready").hasNotGranted()).isTrue();
        assertThat(resolve(stranger, "unready").getNotGranted().getNotReady()).isFalse();
        assertThat(resolve(stranger, "nothing").getNotGranted().getNotReady()).isFalse();

        put("/v1/accounts/unready/grants/p", Map.of("grantee", "provider", "access", List.of("read")));
        assertThat(resolve(stranger, "unready").getNotGranted().getNotReady()).isTrue();
    }

    @Test
    void aKeyWhoseIdAndSecretACallerChoseIsGoodUntilItsEnd() {
        String path = "/v1/tenants/customer/keys/" + "c".repeat(40);
        String secret = "_-S".repeat(42) + "xy";
        String key = "kv_" + "c".repeat(40) + "_" + secret;
        put(path, Map.of("secret", secret)).then().statusCode(201);
        account("chosen", "var/lib/chosen");
        makeReady("chosen");
        assertThat(resolve(key, "chosen").hasGranted()).isTrue();
        assertThat(resolve(key + "x", "chosen").hasUnknownKey()).isTrue();

        put(path, Map.of("expiresAt", "2999-01-01T00:00:00Z")).then().statusCode(200);

        assertThat(resolve(key, "chosen").getGranted().getRights(0).hasExpiresAt())
                .isTrue();
        delete(path);
        assertThat(resolve(key, "chosen").hasUnknownKey()).isTrue();
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
}
