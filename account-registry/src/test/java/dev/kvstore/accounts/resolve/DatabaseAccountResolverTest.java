package dev.kvstore.accounts.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.accounts.account.Limits;
import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.accounts.grant.Access;
import dev.kvstore.accounts.key.Secrets;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rights of keys, as data planes get them. */
@QuarkusTest
class DatabaseAccountResolverTest extends RunningRegistry {
    private static final String OWNER = "resolving-owner";
    private static final String GUEST = "resolving-guest";

    @Inject
    @SuppressWarnings("NullAway.Init")
    DatabaseAccountResolver resolver;

    @BeforeEach
    void register() {
        tenant(OWNER);
        tenant(GUEST);
    }

    private Resolved resolve(String key, String account, String region) {
        return resolver.resolve(id(key), Secrets.sha256(key), account, region).resolved();
    }

    private Resolved.Granted granted(String key, String account, String region) {
        return (Resolved.Granted) resolve(key, account, region);
    }

    private static void grant(String account, String name, Map<String, ?> more) {
        Map<String, Object> spec = new HashMap<>(Map.of("grantee", GUEST, "access", List.of("read")));
        spec.putAll(more);
        put("/v1/accounts/" + account + "/grants/" + name, spec).then().statusCode(201);
    }

    @Test
    void anOwnersKeyMayDoEverythingWithItsTenantsAccount() throws Exception {
        readyAccount("resolved-own", OWNER);

        Resolved.Granted granted = granted(key(OWNER), "resolved-own", "eu-1");

        assertThat(granted.resourceName()).isEqualTo("resolved-own");
        assertThat(granted.tenant()).isEqualTo(OWNER);
        assertThat(granted.keyTenant()).isEqualTo(OWNER);
        assertThat(granted.storage())
                .isEqualTo(new StorageRow(
                        "https://resolved-own.blob.core.windows.net", "blocks", "managed-identity", false));
        assertThat(granted.limits()).isEqualTo(new Limits(0, 0L));
        assertThat(granted.readThrough()).isNull();
        assertThat(granted.maxOffline()).isNull();
        assertThat(granted.rights())
                .containsExactly(
                        new Resolved.Right(Access.READ, null, null), new Resolved.Right(Access.WRITE, null, null));
    }

    @Test
    void aKeyThatNobodyHasIsUnknown() throws Exception {
        readyAccount("resolved-nobodys", OWNER);

        assertThat(resolve("kv_nosuchkeyhere_secret", "resolved-nobodys", "eu-1"))
                .isEqualTo(new Resolved.UnknownKey(false));
    }

    @Test
    void anIdWithAnotherSecretIsUnknownAndNotCalledExpired() throws Exception {
        readyAccount("resolved-guessed", OWNER);
        String key = key(OWNER);

        assertThat(resolve(key + "x", "resolved-guessed", "eu-1")).isEqualTo(new Resolved.UnknownKey(false));

        database().execute("update api_key set expires_at = '2020-01-01Z' where id = '" + id(key) + "'");
        assertThat(resolve(key + "x", "resolved-guessed", "eu-1")).isEqualTo(new Resolved.UnknownKey(false));
    }

    @Test
    void aKeyWorksUntilItsEndAndIsCalledExpiredFromThenOn() throws Exception {
        readyAccount("resolved-ending", OWNER);
        Instant end = clock.instant().plusSeconds(60);
        String key = admin().body(Map.of("expiresAt", end.toString()))
                .post("/v1/tenants/" + OWNER + "/keys")
                .path("key");
        assertThat(granted(key, "resolved-ending", "eu-1").rights())
                .allSatisfy(right -> assertThat(right.expiresAt()).isEqualTo(end));

        clock.move(Duration.ofSeconds(60).minusNanos(1_000));
        assertThat(resolve(key, "resolved-ending", "eu-1")).isInstanceOf(Resolved.Granted.class);
        clock.move(Duration.ofNanos(1_000));
        assertThat(resolve(key, "resolved-ending", "eu-1")).isEqualTo(new Resolved.UnknownKey(true));
    }

    @Test
    void aRevokedKeyIsUnknown() throws Exception {
        readyAccount("resolved-revoked", OWNER);
        String key = key(OWNER);

        admin().delete("/v1/tenants/" + OWNER + "/keys/" + id(key)).then().statusCode(204);

        assertThat(resolve(key, "resolved-revoked", "eu-1")).isEqualTo(new Resolved.UnknownKey(false));
    }

    @Test
    void keysOfASuspendedTenantAreUnknownUntilItIsActiveAgain() throws Exception {
        tenant("resolving-suspended");
        readyAccount("resolved-suspended", "resolving-suspended");
        String key = key("resolving-suspended");

        put("/v1/tenants/resolving-suspended", Map.of("state", "suspended"));
        assertThat(resolve(key, "resolved-suspended", "eu-1")).isEqualTo(new Resolved.UnknownKey(false));

        put("/v1/tenants/resolving-suspended", Map.of("state", "active"));
        assertThat(resolve(key, "resolved-suspended", "eu-1")).isInstanceOf(Resolved.Granted.class);
    }

    @Test
    void anAccountOfASuspendedOwnerIsNotGrantedToAnybody() throws Exception {
        tenant("resolving-lender");
        readyAccount("resolved-lent", "resolving-lender");
        grant("resolved-lent", "g", Map.of());
        String key = key(GUEST);
        assertThat(resolve(key, "resolved-lent", "eu-1")).isInstanceOf(Resolved.Granted.class);

        put("/v1/tenants/resolving-lender", Map.of("state", "suspended"));

        assertThat(resolve(key, "resolved-lent", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, false));
    }

    @Test
    void anAccountThatDoesNotExistOrIsDeletedIsNotGranted() throws Exception {
        readyAccount("resolved-gone", OWNER);
        String key = key(OWNER);
        admin().delete("/v1/accounts/resolved-gone").then().statusCode(204);

        for (String name : List.of("resolved-gone", "resolved-none", "")) {
            assertThat(resolve(key, name, "eu-1")).isEqualTo(new Resolved.NotGranted(OWNER, null, false));
        }
    }

    @Test
    void anAccountOfAnotherTenantIsNotGrantedAndNothingIsSaidOfItsStorage() throws Exception {
        readyAccount("resolved-hidden", OWNER);
        put("/v1/accounts/resolved-unready", account(OWNER, replica("eu-1", "resolved-unready", "blocks")));
        String key = key(GUEST);

        assertThat(resolve(key, "resolved-hidden", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, false));
        assertThat(resolve(key, "resolved-unready", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, false));
    }

    @Test
    void whoHasRightsIsToldThatTheStorageIsNotReady() {
        put("/v1/accounts/resolved-early", account(OWNER, replica("eu-1", "resolved-early", "blocks")));
        grant("resolved-early", "g", Map.of());

        assertThat(resolve(key(OWNER), "resolved-early", "eu-1")).isEqualTo(new Resolved.NotGranted(OWNER, null, true));
        assertThat(resolve(key(GUEST), "resolved-early", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, true));
    }

    @Test
    void aGrantGivesItsRightsOnItsPartition() throws Exception {
        readyAccount("resolved-parts", OWNER);
        grant("resolved-parts", "all", Map.of());
        grant("resolved-parts", "part", Map.of("access", List.of("read", "write"), "partition", "p 1"));

        assertThat(granted(key(GUEST), "resolved-parts", "eu-1").rights())
                .containsExactlyInAnyOrder(
                        new Resolved.Right(Access.READ, null, null),
                        new Resolved.Right(Access.READ, "p 1", null),
                        new Resolved.Right(Access.WRITE, "p 1", null));
    }

    @Test
    void aRightEndsWithItsGrantOrItsKeyWhicheverIsFirst() throws Exception {
        readyAccount("resolved-ends", OWNER);
        Instant soon = clock.instant().plusSeconds(100);
        Instant late = clock.instant().plusSeconds(200);
        grant("resolved-ends", "soon", Map.of("expiresAt", soon.toString(), "partition", "soon"));
        grant("resolved-ends", "never", Map.of("partition", "never"));
        String key = admin().body(Map.of("expiresAt", late.toString()))
                .post("/v1/tenants/" + GUEST + "/keys")
                .path("key");

        assertThat(granted(key, "resolved-ends", "eu-1").rights())
                .containsExactlyInAnyOrder(
                        new Resolved.Right(Access.READ, "soon", soon), new Resolved.Right(Access.READ, "never", late));

        clock.move(Duration.ofSeconds(100));
        assertThat(granted(key, "resolved-ends", "eu-1").rights())
                .containsExactly(new Resolved.Right(Access.READ, "never", late));
    }

    @Test
    void anAccountWhoseGrantsHaveAllEndedIsNotGranted() throws Exception {
        readyAccount("resolved-over", OWNER);
        grant(
                "resolved-over",
                "g",
                Map.of("expiresAt", clock.instant().plusSeconds(5).toString()));
        String key = key(GUEST);

        clock.move(Duration.ofSeconds(5));

        assertThat(resolve(key, "resolved-over", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, false));
    }

    @Test
    void aGrantToOneKeyHoldsForThatKeyAndTheKeysThatReplacedIt() throws Exception {
        readyAccount("resolved-keyed", OWNER);
        String named = key(GUEST);
        String other = key(GUEST);
        grant("resolved-keyed", "g", Map.of("keyId", id(named)));
        String next = admin().post("/v1/tenants/" + GUEST + "/keys/" + id(named) + "/rotate")
                .path("key");

        assertThat(resolve(named, "resolved-keyed", "eu-1")).isInstanceOf(Resolved.Granted.class);
        assertThat(resolve(next, "resolved-keyed", "eu-1")).isInstanceOf(Resolved.Granted.class);
        assertThat(resolve(other, "resolved-keyed", "eu-1")).isEqualTo(new Resolved.NotGranted(GUEST, null, false));
    }

    @Test
    void theStorageIsTheOneOfTheRegionIfItServesAndElseHomes() throws Exception {
        put(
                        "/v1/accounts/resolved-two",
                        Map.of(
                                "tenant",
                                OWNER,
                                "homeRegion",
                                "us-1",
                                "replicas",
                                List.of(
                                        vouched("eu-1", "resolved-two-eu", "blocks"),
                                        vouched("us-1", "resolved-two-us", "blocks"))))
                .then()
                .statusCode(201);
        String key = key(OWNER);
        ready("resolved-two");
        assertThat(granted(key, "resolved-two", "eu-1").storage().endpoint()).contains("resolved-two-eu");
        assertThat(granted(key, "resolved-two", "ap-1").storage().endpoint()).contains("resolved-two-us");

        database()
                .execute("update replica set state = 'FAILING' where resource_name = 'resolved-two'"
                        + " and region = 'eu-1'");
        assertThat(granted(key, "resolved-two", "eu-1").storage().endpoint()).contains("resolved-two-us");

        database()
                .execute("update replica set state = 'FAILING' where resource_name = 'resolved-two'"
                        + " and region = 'us-1'");
        assertThat(resolve(key, "resolved-two", "eu-1")).isEqualTo(new Resolved.NotGranted(OWNER, null, true));
    }

    @Test
    void storageServesWhileANewCredentialIsTriedAndNotWhileANewContainerIs() throws Exception {
        readyAccount("resolved-renewed", OWNER);
        String key = key(OWNER);
        Map<String, Object> credential = vouched("eu-1", "resolved-renewed", "blocks");
        credential.put("credential", "env:OTHER");
        put("/v1/accounts/resolved-renewed", account(OWNER, credential)).then().statusCode(200);

        assertThat(granted(key, "resolved-renewed", "eu-1").storage().credential())
                .isEqualTo("env:OTHER");

        put("/v1/accounts/resolved-renewed", account(OWNER, vouched("eu-1", "resolved-renewed", "others")));
        assertThat(resolve(key, "resolved-renewed", "eu-1")).isEqualTo(new Resolved.NotGranted(OWNER, null, true));
    }

    @Test
    void aRegionReadsThroughToAnotherStorageThatServesAndNeverToItsOwn() throws Exception {
        put(
                        "/v1/accounts/resolved-through",
                        Map.of(
                                "tenant",
                                OWNER,
                                "readThrough",
                                Map.of("from", "us-1", "withinMillis", 250),
                                "replicas",
                                List.of(
                                        vouched("eu-1", "resolved-through-eu", "blocks"),
                                        vouched("us-1", "resolved-through-us", "blocks"))))
                .then()
                .statusCode(201);
        ready("resolved-through");
        String key = key(OWNER);

        assertThat(granted(key, "resolved-through", "eu-1").readThrough())
                .isEqualTo(new Resolved.ReadThrough(
                        "us-1",
                        new StorageRow(
                                "https://resolved-through-us.blob.core.windows.net",
                                "blocks",
                                "managed-identity",
                                false),
                        Duration.ofMillis(250)));
        assertThat(granted(key, "resolved-through", "us-1").readThrough()).isNull();

        database()
                .execute("update replica set state = 'FAILING' where resource_name = 'resolved-through'"
                        + " and region = 'us-1'");
        assertThat(granted(key, "resolved-through", "eu-1").readThrough()).isNull();
    }

    @Test
    void limitsAndTheTimeWithoutAControlPlaneAreInTheAnswer() throws Exception {
        readyAccount("resolved-limited", OWNER);
        put("/v1/accounts/resolved-limited/limits", Map.of("operations", 7, "bytesPerSecond", 1_000))
                .then()
                .statusCode(200);
        Map<String, Object> spec = new HashMap<>(account(OWNER, vouched("eu-1", "resolved-limited", "blocks")));
        spec.put("maxOfflineSeconds", 0);
        put("/v1/accounts/resolved-limited", spec).then().statusCode(200);

        Resolved.Granted granted = granted(key(OWNER), "resolved-limited", "eu-1");

        assertThat(granted.limits()).isEqualTo(new Limits(7, 1_000L));
        assertThat(granted.maxOffline()).isEqualTo(Duration.ZERO);
    }

    @Test
    void aFolderHasNeitherContainerNorCredential() throws Exception {
        put(
                        "/v1/accounts/resolved-folder",
                        account(
                                OWNER,
                                Map.of("region", "eu-1", "endpoint", "file:///var/lib/resolved", "vouched", true)))
                .then()
                .statusCode(201);
        ready("resolved-folder");

        assertThat(granted(key(OWNER), "resolved-folder", "eu-1").storage())
                .isEqualTo(new StorageRow("file:///var/lib/resolved", "", "", false));
    }

    @Test
    void anAnswerSaysWhichChangesItIncludes() throws Exception {
        readyAccount("resolved-numbered", OWNER);
        String key = key(OWNER);
        long before = resolver.resolve(id(key), Secrets.sha256(key), "resolved-numbered", "eu-1")
                .change();
        assertThat(before).isEqualTo(changes.last());

        grant("resolved-numbered", "g", Map.of());

        assertThat(resolver.resolve("no", new byte[32], "", "eu-1").change()).isEqualTo(before + 1);
    }
}
