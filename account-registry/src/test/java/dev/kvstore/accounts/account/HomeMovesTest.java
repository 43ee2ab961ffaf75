package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An account's home moves to the region of another of its storages. */
@QuarkusTest
class HomeMovesTest extends RunningRegistry {
    private static final String OWNER = "moving";
    private static final Caller ADMIN = new Caller("admin", Role.PLATFORM_ADMIN, null);
    private static final Precondition ANY = Precondition.of(null, null);

    @Inject
    @SuppressWarnings("NullAway.Init")
    Accounts accounts;

    @BeforeEach
    void register() {
        tenant(OWNER);
    }

    private static String stored(String name, Map<String, ?> more) {
        Map<String, Object> spec = new HashMap<>(
                account(OWNER, replica("eu-1", name + "-eu", "blocks"), replica("us-1", name + "-us", "blocks")));
        spec.putAll(more);
        return put("/v1/accounts/" + name, spec)
                .then()
                .statusCode(201)
                .extract()
                .header("ETag");
    }

    private static void refused(ProblemKind kind, String detail, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().status()).isEqualTo(kind.status()))
                .hasMessageContaining(detail);
    }

    @Test
    void theNewHomeIsThatOfAllLaterAnswers() {
        stored("moved-home", Map.of());

        assertThat(affected(() -> accounts.moveHome(ADMIN, "moved-home", "us-1", false, ANY))
                        .resourceNames())
                .containsExactly("moved-home");

        admin().get("/v1/accounts/moved-home")
                .then()
                .body("homeRegion", equalTo("us-1"))
                .body("avoidedRegions", equalTo(List.of()));
        audit("account", "moved-home")
                .then()
                .body("items[0].before.homeRegion", equalTo("eu-1"))
                .body("items[0].after.homeRegion", equalTo("us-1"));
    }

    @Test
    void theOldHomeIsAvoidedIfItIsToBeLeftAndTheNewOneNoLonger() {
        stored("moved-leaving", Map.of("avoidedRegions", List.of("ap-1", "us-1")));

        accounts.moveHome(ADMIN, "moved-leaving", "us-1", true, ANY);

        admin().get("/v1/accounts/moved-leaving")
                .then()
                .body("homeRegion", equalTo("us-1"))
                .body("avoidedRegions", equalTo(List.of("ap-1", "eu-1")));
    }

    @Test
    void homeMovesOnlyToARegionWithAStorageThatIsAllowedAndNotHome() {
        stored("moved-nowhere", Map.of());
        stored("moved-allowed", Map.of("allowedRegions", List.of("eu-1")));

        refused(
                ProblemKind.INVALID,
                "to must be the region of one of the account's replicas",
                () -> accounts.moveHome(ADMIN, "moved-nowhere", "ap-1", false, ANY));
        refused(
                ProblemKind.INVALID,
                "to is the home of moved-nowhere already",
                () -> accounts.moveHome(ADMIN, "moved-nowhere", "eu-1", false, ANY));
        refused(
                ProblemKind.INVALID,
                "to must be one of the account's allowed regions",
                () -> accounts.moveHome(ADMIN, "moved-allowed", "us-1", false, ANY));
    }

    @Test
    void anEarlierVersionIsNotMoved() {
        String tag = stored("moved-raced", Map.of());
        accounts.moveHome(ADMIN, "moved-raced", "us-1", false, Precondition.of(tag, null));

        refused(
                ProblemKind.PRECONDITION_FAILED,
                "read it again",
                () -> accounts.moveHome(ADMIN, "moved-raced", "eu-1", false, Precondition.of(tag, null)));

        admin().get("/v1/accounts/moved-raced").then().body("homeRegion", equalTo("us-1"));
    }

    @Test
    void onlyAdminsOfTheOwnerMoveIt() {
        stored("moved-guarded", Map.of());

        refused(
                ProblemKind.NOT_FOUND,
                "or it is not yours",
                () -> accounts.moveHome(
                        new Caller("t", Role.TENANT_ADMIN, "another"), "moved-guarded", "us-1", false, ANY));
        refused(
                ProblemKind.FORBIDDEN,
                "the role viewer does not allow that",
                () -> accounts.moveHome(new Caller("v", Role.VIEWER, OWNER), "moved-guarded", "us-1", false, ANY));
        accounts.moveHome(new Caller("t", Role.TENANT_ADMIN, OWNER), "moved-guarded", "us-1", false, ANY);

        admin().get("/v1/accounts/moved-guarded").then().body("homeRegion", equalTo("us-1"));
    }

    @Test
    void aDeletedAccountIsNotMoved() {
        stored("moved-deleted", Map.of());
        admin().delete("/v1/accounts/moved-deleted");

        refused(
                ProblemKind.NOT_FOUND,
                "there is no account moved-deleted",
                () -> accounts.moveHome(ADMIN, "moved-deleted", "us-1", false, ANY));
    }
}
