package dev.kvstore.accounts.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The regions in which an account may be served, for routes. */
@QuarkusTest
class DatabaseWhereaboutsTest extends RunningRegistry {
    private static final String OWNER = "whereabouts-owner";

    @Inject
    @SuppressWarnings("NullAway.Init")
    DatabaseWhereabouts whereabouts;

    @BeforeEach
    void register() {
        tenant(OWNER);
    }

    @Test
    void anAccountThatSaysNothingMayBeServedEverywhereAndHasNoPlaces() {
        int version = put("/v1/accounts/where-new", account(OWNER, replica("eu-1", "where-new", "blocks")))
                .path("version");

        assertThat(whereabouts.of("where-new"))
                .contains(new ServingRegions(OWNER, "eu-1", List.of(), List.of(), List.of(), List.of(), version));
    }

    @Test
    void homeAllowedAndAvoidedRegionsAreThoseOfTheAccount() {
        int version = put(
                        "/v1/accounts/where-allowed",
                        Map.of(
                                "tenant",
                                OWNER,
                                "allowedRegions",
                                List.of("us-1", "eu-1"),
                                "avoidedRegions",
                                List.of("ap-1"),
                                "homeRegion",
                                "us-1",
                                "replicas",
                                List.of(replica("eu-1", "where-eu", "blocks"), replica("us-1", "where-us", "blocks"))))
                .path("version");

        assertThat(whereabouts.of("where-allowed"))
                .contains(new ServingRegions(
                        OWNER, "us-1", List.of("eu-1", "us-1"), List.of("ap-1"), List.of(), List.of(), version));
    }

    @Test
    void theRegionsOfStoragesThatServeAreThereInOrder() throws Exception {
        put(
                "/v1/accounts/where-ready",
                account(
                        OWNER,
                        vouched("us-1", "where-ready-us", "blocks"),
                        vouched("eu-1", "where-ready-eu", "blocks"),
                        vouched("ap-1", "where-ready-ap", "blocks")));
        ready("where-ready");
        database()
                .execute("update replica set state = 'FAILING' where resource_name = 'where-ready'"
                        + " and region = 'ap-1'");

        assertThat(whereabouts.of("where-ready").orElseThrow().replicas()).containsExactly("eu-1", "us-1");
    }

    @Test
    void placementsAreThereWithWhoChoseThem() throws Exception {
        put("/v1/accounts/where-placed", account(OWNER, replica("eu-1", "where-placed", "blocks")));
        put("/v1/accounts/where-placed/placements/eu-1", Map.of("cluster", "eu-1-a", "pinned", true));
        put("/v1/accounts/where-placed/placements/us-1", Map.of("cluster", "us-1-b"));
        database()
                .execute("update placement set automatic = true where resource_name = 'where-placed'"
                        + " and region = 'us-1'");

        assertThat(whereabouts.of("where-placed").orElseThrow().places())
                .containsExactlyInAnyOrder(
                        new ServingRegions.RegionPlacement("eu-1", "eu-1-a", true, false),
                        new ServingRegions.RegionPlacement("us-1", "us-1-b", false, true));
    }

    @Test
    void thereAreNoneOfAnAccountThatDoesNotExistOrIsDeleted() {
        put("/v1/accounts/where-gone", account(OWNER, replica("eu-1", "where-gone", "blocks")));
        admin().delete("/v1/accounts/where-gone").then().statusCode(204);

        assertThat(whereabouts.of("where-gone")).isEmpty();
        assertThat(whereabouts.of("where-never")).isEmpty();
    }
}
