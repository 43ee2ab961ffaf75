package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for the storages of an account. */
@QuarkusTest
class ReplicaRulesTest extends RunningRegistry {
    private static final String OWNER = "storing";

    @BeforeEach
    void register() {
        tenant(OWNER);
        tenant("storing-too");
    }

    private static Response store(String name, Map<?, ?>... replicas) {
        return put("/v1/accounts/" + name, account(OWNER, replicas));
    }

    private static void refused(Response answer, String field, String rule) {
        answer.then()
                .statusCode(400)
                .body("errors[0].field", equalTo(field))
                .body("errors[0].detail", containsString(rule));
    }

    @Test
    void aRegionHasOneStorageOfAnAccount() {
        refused(
                store("stored-double", replica("eu-1", "double-1", "blocks"), replica("eu-1", "double-2", "blocks")),
                "replicas[1].region",
                "must be another than that of the replicas before");
    }

    @Test
    void aRegionThatIsNotRegisteredIsNamedWithItsPlace() {
        refused(
                store("stored-nowhere", replica("eu-1", "nowhere-1", "blocks"), replica("mars", "nowhere-2", "blocks")),
                "replicas[1].region",
                "must be a region that is registered");
        Map<String, Object> spec = new HashMap<>(account(OWNER, replica("eu-1", "nowhere-3", "blocks")));
        spec.put("allowedRegions", List.of("eu-1", "mars"));
        refused(put("/v1/accounts/stored-nowhere", spec), "allowedRegions[1]", "must be a region that is registered");
        spec.put("allowedRegions", List.of("us-1"));
        refused(
                put("/v1/accounts/stored-nowhere", spec),
                "allowedRegions",
                "must have the home region eu-1 among them");
        spec.put("allowedRegions", List.of());
        spec.put("avoidedRegions", List.of("eu-1"));
        refused(put("/v1/accounts/stored-nowhere", spec), "avoidedRegions", "must not have the home region eu-1");
    }

    @Test
    void regionsOfAnAccountAreKeptInOrderAndOnce() {
        Map<String, Object> spec = new HashMap<>(account(OWNER, replica("eu-1", "ordered", "blocks")));
        spec.put("allowedRegions", List.of("us-1", "eu-1", "us-1"));
        spec.put("avoidedRegions", List.of("us-1", "ap-1"));

        put("/v1/accounts/stored-ordered", spec)
                .then()
                .statusCode(201)
                .body("allowedRegions", equalTo(List.of("eu-1", "us-1")))
                .body("avoidedRegions", equalTo(List.of("ap-1", "us-1")));
    }

    @Test
    void anAccountHas1To32Storages() {
        Map<?, ?>[] many = IntStream.range(0, 33)
                .mapToObj(i -> replica("many-" + i, "stored-many-" + i, "blocks"))
                .toArray(Map<?, ?>[]::new);

        refused(store("stored-many", many), "replicas", "must have 1 to 32 replicas");
        refused(store("stored-many"), "replicas", "must have 1 to 32 replicas");
        store("stored-many", java.util.Arrays.copyOf(many, 32))
                .then()
                .statusCode(201)
                .body("replicas.size()", equalTo(32));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "container  | ab           | must be 3 to 63 of a-z",
                "container  | a--b         | must be 3 to 63 of a-z",
                "container  | -abc         | must be 3 to 63 of a-z",
                "container  | Abc          | must be 3 to 63 of a-z",
                "credential | password     | a credential itself has no place here",
                "credential | env:1X       | a credential itself has no place here",
                "credential | keyvault:https://v.vault.example.net/secrets/n | a credential itself has no place here",
                "credential | file:relative | a credential itself has no place here",
                "region     | No Region    | must be 1 to 63 of a-z",
                "endpoint   | not a url    | must be a URL",
                "endpoint   | https://other.example.net | must match one of the endpoints that this platform allows",
                "endpoint   | https://a.blob.core.windows.net?x=1 | must be http or https with a host"
            })
    void aWrongFieldIsNamedWithItsRule(String field, String value, String rule) {
        Map<String, Object> replica = replica("eu-1", "stored-wrong", "blocks");
        replica.put(field, value);

        refused(store("stored-wrong", replica), "replicas[0]." + field, rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"region", "container", "credential"})
    void aMissingFieldIsNamed(String field) {
        Map<String, Object> replica = replica("eu-1", "stored-missing", "blocks");
        replica.remove(field);

        refused(store("stored-missing", replica), "replicas[0]." + field, "is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "managed-identity",
                "env:STORAGE_KEY",
                "file:/run/secrets/key",
                "keyvault:https://my-vault.vault.azure.net/secrets/name",
                "keyvault:https://my-vault.vault.azure.net/secrets/name/0123456789abcdef"
            })
    void aCredentialIsAReference(String credential) {
        Map<String, Object> replica =
                replica("eu-1", "stored-reference-" + Integer.toHexString(credential.hashCode()), "blocks");
        replica.put("credential", credential);

        store("stored-reference-" + Integer.toHexString(credential.hashCode()), replica)
                .then()
                .statusCode(201)
                .body("replicas[0].credential", equalTo(credential));
    }

    @Test
    void withoutAnEndpointTheStorageAccountHasTheResourcesName() {
        Map<String, Object> replica = replica("eu-1", "unused", "blocks");
        replica.remove("endpoint");

        store("storednamed", replica)
                .then()
                .statusCode(201)
                .body("replicas[0].endpoint", equalTo("https://storednamed.blob.core.windows.net"));
    }

    @Test
    void anEndpointIsKeptInLowerCaseWithoutALastSlash() {
        Map<String, Object> replica = replica("eu-1", "unused", "blocks");
        replica.put("endpoint", "HTTPS://Stored-Normal.Blob.Core.Windows.NET/");

        store("stored-normal", replica)
                .then()
                .statusCode(201)
                .body("replicas[0].endpoint", equalTo("https://stored-normal.blob.core.windows.net"));
    }

    @Test
    void aTenantsAdminReachesNoStorageOrSecretOfThePlatform() {
        Map<String, Map<String, Object>> flawed = Map.of(
                "credential", Map.of("credential", "env:STORAGE_KEY"),
                "createContainer", Map.of("createContainer", true, "vouched", true),
                "vouched", Map.of("vouched", true));
        flawed.forEach((field, more) -> {
            Map<String, Object> replica = replica("eu-1", "stored-reaching", "blocks");
            replica.putAll(more);
            refused(
                    as("tenant-admin@" + OWNER).body(account(OWNER, replica)).put("/v1/accounts/stored-reaching"),
                    "replicas[0]." + field,
                    field.equals("credential") ? "or set by a platform admin" : "is for platform admins");
        });
        refused(
                as("tenant-admin@" + OWNER)
                        .body(account(OWNER, Map.of("region", "eu-1", "endpoint", "file:///var/lib/x")))
                        .put("/v1/accounts/stored-reaching"),
                "replicas[0].endpoint",
                "is a folder, which only platform admins register");
    }

    @Test
    void aTenantsAdminKeepsWhatAPlatformAdminSetAndChangesNothingOfIt() {
        Map<String, Object> replica = vouched("eu-1", "stored-set", "blocks");
        replica.put("credential", "env:STORAGE_KEY");
        store("stored-set", replica).then().statusCode(201);
        Map<String, Object> spec = new HashMap<>(account(OWNER, replica));
        spec.put("avoidedRegions", List.of("us-1"));

        as("tenant-admin@" + OWNER)
                .body(spec)
                .put("/v1/accounts/stored-set")
                .then()
                .statusCode(200);

        replica.put("container", "others");
        refused(
                as("tenant-admin@" + OWNER).body(account(OWNER, replica)).put("/v1/accounts/stored-set"),
                "replicas[0].credential",
                "or set by a platform admin");
    }

    @Test
    void aTenantsAdminCannotBringBackWhatOnlyAPlatformAdminMaySet() {
        store("stored-back", vouched("eu-1", "stored-back", "blocks")).then().statusCode(201);
        admin().delete("/v1/accounts/stored-back").then().statusCode(204);

        refused(
                as("tenant-admin@" + OWNER)
                        .body(account(OWNER, vouched("eu-1", "stored-back", "blocks")))
                        .put("/v1/accounts/stored-back"),
                "replicas[0].vouched",
                "is for platform admins");
    }

    @Test
    void aContainerIsMadeOnlyForAnAdminWhoVouches() {
        Map<String, Object> replica = replica("eu-1", "stored-created", "blocks");
        replica.put("createContainer", true);
        refused(
                store("stored-created", replica),
                "replicas[0].createContainer",
                "needs vouched: a container that does not exist yet proves no owner");

        replica.put("vouched", true);
        store("stored-created", replica).then().statusCode(201).body("replicas[0].createContainer", equalTo(true));
    }

    @Test
    void aFolderHasNeitherContainerNorCredential() {
        Map<String, Object> folder =
                new HashMap<>(Map.of("region", "eu-1", "endpoint", "file:///var/lib/stored folder", "vouched", true));
        refused(store("stored-folder", folder), "replicas[0].endpoint", "in which a space is %20");
        folder.put("endpoint", "file:///var/lib/stored%20folder/");
        folder.put("container", "blocks");
        refused(store("stored-folder", folder), "replicas[0].container", "and credential are not for a folder");
        folder.remove("container");

        store("stored-folder", folder)
                .then()
                .statusCode(201)
                .body("replicas[0].endpoint", equalTo("file:///var/lib/stored%20folder"))
                .body("replicas[0].container", nullValue())
                .body("replicas[0].credential", nullValue());
    }

    @Test
    void aContainerThatIsProvenOrVouchedForIsNobodyElses() throws Exception {
        store("stored-taken", vouched("eu-1", "stored-taken", "blocks")).then().statusCode(201);

        put("/v1/accounts/stored-taker", account("storing-too", replica("us-1", "stored-taken", "blocks")))
                .then()
                .statusCode(409)
                .body("detail", equalTo("replicas[0]: that container is registered already"));
        store("stored-taken", vouched("eu-1", "stored-taken", "blocks"), replica("us-1", "stored-taken", "blocks"))
                .then()
                .statusCode(409);
        // Another container of the same host is another's.
        put("/v1/accounts/stored-taker", account("storing-too", replica("us-1", "stored-taken", "others")))
                .then()
                .statusCode(201);

        store("stored-proven", replica("eu-1", "stored-proven", "blocks"));
        ready("stored-proven");
        put("/v1/accounts/stored-prover", account("storing-too", replica("us-1", "stored-proven", "blocks")))
                .then()
                .statusCode(409);
    }

    @Test
    void anotherCredentialKeepsTheProofAndAnotherPlaceDoesNot() throws Exception {
        store("stored-proof", replica("eu-1", "stored-proof", "blocks"));
        ready("stored-proof");
        Map<String, Object> renewed = replica("eu-1", "stored-proof", "blocks");
        renewed.put("credential", "env:OTHER");

        store("stored-proof", renewed)
                .then()
                .statusCode(200)
                .body("replicas[0].state", equalTo("unproven"))
                .body("replicas[0].proof", nullValue());
        store("stored-proof", replica("eu-1", "stored-proof", "others"))
                .then()
                .statusCode(200)
                .body("replicas[0].proof.content", not(nullValue()));
    }

    @Test
    void aStorageThatIsLeftOutGoesAndComesBackUnproven() throws Exception {
        Map<String, Object> eu = replica("eu-1", "stored-left-eu", "blocks");
        Map<String, Object> us = replica("us-1", "stored-left-us", "blocks");
        String tag = store("stored-left", eu, us).header("ETag");
        ready("stored-left");

        String changed = store("stored-left", eu).header("ETag");
        store("stored-left", eu, us)
                .then()
                .statusCode(200)
                .body("replicas.region", equalTo(List.of("eu-1", "us-1")))
                .body("replicas[0].state", equalTo("ready"))
                .body("replicas[1].state", equalTo("unproven"))
                .body("ready", equalTo(false));

        assertThat(changed).isNotEqualTo(tag);
    }

    @Test
    void anAccountIsReadyOnceAllItsStoragesAre() throws Exception {
        store(
                "stored-ready",
                replica("eu-1", "stored-ready-eu", "blocks"),
                replica("us-1", "stored-ready-us", "blocks"));
        database()
                .execute("update replica set state = 'READY', proven = true where resource_name = 'stored-ready'"
                        + " and region = 'eu-1'");
        admin().get("/v1/accounts/stored-ready").then().body("ready", equalTo(false));

        ready("stored-ready");

        admin().get("/v1/accounts/stored-ready").then().body("ready", equalTo(true));
    }
}
