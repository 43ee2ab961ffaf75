package dev.kvstore.accounts.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.accounts.account.StorageRow;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The storage of an account in one region. */
@QuarkusTest
class DatabaseReplicasTest extends RunningRegistry {
    private static final String OWNER = "replicas-owner";

    @Inject
    @SuppressWarnings("NullAway.Init")
    DatabaseReplicas replicas;

    @BeforeEach
    void register() {
        tenant(OWNER);
    }

    private DatabaseReplicas.RegionReplica of(String account) {
        return replicas.of(account, "eu-1").orElseThrow();
    }

    @Test
    void aStorageThatNobodyTriedNeitherServesNorIsOwned() {
        put("/v1/accounts/stored-new", account(OWNER, replica("eu-1", "stored-new", "blocks")));

        assertThat(of("stored-new"))
                .isEqualTo(new DatabaseReplicas.RegionReplica(
                        new StorageRow("https://stored-new.blob.core.windows.net", "blocks", "managed-identity", false),
                        false,
                        false,
                        null));
    }

    @Test
    void aStorageThatAnAdminVouchesForIsOwnedAndServesAfterATrial() throws Exception {
        put("/v1/accounts/stored-vouched", account(OWNER, vouched("eu-1", "stored-vouched", "blocks")));
        assertThat(of("stored-vouched").owned()).isTrue();
        assertThat(of("stored-vouched").serves()).isFalse();

        database()
                .execute("update replica set state = 'READY', proven = true, probed_at = '2026-01-01T00:00:00.5Z'"
                        + " where resource_name = 'stored-vouched'");

        assertThat(of("stored-vouched").serves()).isTrue();
        assertThat(of("stored-vouched").since()).hasToString("2026-01-01T00:00:00.500Z");
    }

    @Test
    void aStorageWhoseTrialFailedDoesNotServe() throws Exception {
        put("/v1/accounts/stored-failing", account(OWNER, replica("eu-1", "stored-failing", "blocks")));
        database()
                .execute("update replica set state = 'FAILING', proven = true"
                        + " where resource_name = 'stored-failing'");

        assertThat(of("stored-failing").serves()).isFalse();
        assertThat(of("stored-failing").owned()).isTrue();
    }

    @Test
    void aStorageServesWhileANewCredentialIsTried() throws Exception {
        readyAccount("stored-renewed", OWNER);
        Map<String, Object> renewed = vouched("eu-1", "stored-renewed", "blocks");
        renewed.put("credential", "env:OTHER");

        put("/v1/accounts/stored-renewed", account(OWNER, renewed)).then().statusCode(200);

        assertThat(of("stored-renewed").serves()).isTrue();
        assertThat(of("stored-renewed").storage().credential()).isEqualTo("env:OTHER");
    }

    @Test
    void thereIsNoneInAnotherRegionOrOfAnotherName() throws Exception {
        readyAccount("stored-here", OWNER);

        assertThat(replicas.of("stored-here", "us-1")).isEmpty();
        assertThat(replicas.of("stored-there", "eu-1")).isEmpty();
    }

    @Test
    void thereIsNoneOfAnAccountThatIsDeletedOrWhoseTenantIsSuspended() throws Exception {
        tenant("replicas-suspended");
        readyAccount("stored-suspended", "replicas-suspended");
        readyAccount("stored-deleted", OWNER);

        put("/v1/tenants/replicas-suspended", Map.of("state", "suspended"));
        admin().delete("/v1/accounts/stored-deleted");

        assertThat(replicas.of("stored-suspended", "eu-1")).isEmpty();
        assertThat(replicas.of("stored-deleted", "eu-1")).isEmpty();
    }
}
