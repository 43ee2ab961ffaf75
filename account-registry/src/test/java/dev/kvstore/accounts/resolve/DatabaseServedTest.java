package dev.kvstore.accounts.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The accounts that a cluster's region serves, of those that a data plane asks about. */
@QuarkusTest
class DatabaseServedTest extends RunningRegistry {
    private static final String OWNER = "served-owner";

    @Inject
    @SuppressWarnings("NullAway.Init")
    DatabaseServed served;

    @BeforeEach
    void register() {
        tenant(OWNER);
    }

    private static void stored(String name, Map<String, ?> more) {
        Map<String, Object> spec = new HashMap<>(account(OWNER, replica("eu-1", name, "blocks")));
        spec.putAll(more);
        put("/v1/accounts/" + name, spec).then().statusCode(201);
    }

    private static void place(String account, String region, String cluster, boolean pinned) {
        put("/v1/accounts/" + account + "/placements/" + region, Map.of("cluster", cluster, "pinned", pinned))
                .then()
                .statusCode(201);
    }

    @Test
    void anAccountIsServedWhereItHasAStorage() {
        stored("served-stored", Map.of());

        assertThat(served.of(List.of("served-stored", "served-none", ""), "eu-1", "eu-1-a"))
                .containsExactly("served-stored");
        assertThat(served.of(List.of("served-stored"), "us-1", "us-1-a")).isEmpty();
        assertThat(served.of(List.of(), "eu-1", "eu-1-a")).isEmpty();
    }

    @Test
    void anAccountIsServedWhereItIsPlacedWithoutAStorageThere() {
        stored("served-placed", Map.of());

        place("served-placed", "us-1", "us-1-a", false);

        assertThat(served.of(List.of("served-placed"), "us-1", "us-1-b")).containsExactly("served-placed");
    }

    @Test
    void anAccountThatIsPinnedToAClusterIsServedByNoOtherOfItsRegion() {
        stored("served-pinned", Map.of());

        place("served-pinned", "eu-1", "eu-1-a", true);

        assertThat(served.of(List.of("served-pinned"), "eu-1", "eu-1-a")).containsExactly("served-pinned");
        assertThat(served.of(List.of("served-pinned"), "eu-1", "eu-1-b")).isEmpty();
    }

    @Test
    void anAccountIsNotServedOutsideItsAllowedRegions() {
        stored("served-allowed", Map.of("allowedRegions", List.of("eu-1")));
        place("served-allowed", "us-1", "us-1-a", false);

        assertThat(served.of(List.of("served-allowed"), "eu-1", "eu-1-a")).containsExactly("served-allowed");
        assertThat(served.of(List.of("served-allowed"), "us-1", "us-1-a")).isEmpty();
    }

    @Test
    void aDeletedAccountIsServedNowhere() {
        stored("served-deleted", Map.of());

        admin().delete("/v1/accounts/served-deleted").then().statusCode(204);

        assertThat(served.of(List.of("served-deleted"), "eu-1", "eu-1-a")).isEmpty();
    }
}
