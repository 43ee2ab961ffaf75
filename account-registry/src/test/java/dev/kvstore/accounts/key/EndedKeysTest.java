package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ended keys are forgotten after a while. */
@QuarkusTest
class EndedKeysTest extends RunningRegistry {
    private static final String TENANT = "ended";
    private static final String KEYS = "/v1/tenants/" + TENANT + "/keys/";

    @Inject
    @SuppressWarnings("NullAway.Init")
    EndedKeys ended;

    @BeforeEach
    void register() {
        tenant(TENANT);
        forgetAll();
    }

    private void forgetAll() {
        while (ended.forget()) {
            // Until none is left.
        }
    }

    private static String made() {
        return admin().post("/v1/tenants/" + TENANT + "/keys").path("id");
    }

    private static int status(String id) {
        return admin().get(KEYS + id).statusCode();
    }

    @Test
    void aRevokedKeyIsForgottenSevenDaysLaterAndNotBefore() {
        String id = made();
        admin().delete(KEYS + id).then().statusCode(204);

        clock.move(EndedKeys.KEPT.minusNanos(1_000));
        forgetAll();
        assertThat(status(id)).isEqualTo(200);

        clock.move(Duration.ofNanos(1_000));
        forgetAll();
        assertThat(status(id)).isEqualTo(404);
    }

    @Test
    void aKeyThatExpiredIsForgottenSevenDaysAfterItsEnd() {
        String id = admin().body(
                        Map.of("expiresAt", clock.instant().plusSeconds(10).toString()))
                .post("/v1/tenants/" + TENANT + "/keys")
                .path("id");
        clock.move(EndedKeys.KEPT);
        forgetAll();
        assertThat(status(id)).isEqualTo(200);

        clock.move(Duration.ofSeconds(10));
        forgetAll();

        assertThat(status(id)).isEqualTo(404);
    }

    @Test
    void aKeyThatWasRevokedBeforeItsEndIsForgottenAfterItsRevocation() {
        String id = admin().body(Map.of(
                        "expiresAt", clock.instant().plus(Duration.ofDays(300)).toString()))
                .post("/v1/tenants/" + TENANT + "/keys")
                .path("id");
        admin().delete(KEYS + id);

        clock.move(EndedKeys.KEPT);
        forgetAll();

        assertThat(status(id)).isEqualTo(404);
    }

    @Test
    void aKeyWithoutAnEndIsNeverForgotten() {
        String id = made();

        clock.move(Duration.ofDays(400));
        forgetAll();

        assertThat(status(id)).isEqualTo(200);
    }

    @Test
    void aKeyIsForgottenBeforeTheKeyThatReplacedIt() {
        String old = made();
        String next = admin().body(Map.of("overlapSeconds", 0))
                .post(KEYS + old + "/rotate")
                .path("id");
        admin().delete(KEYS + next);
        clock.move(EndedKeys.KEPT);

        assertThat(ended.forget()).isTrue();
        assertThat(List.of(status(old), status(next))).containsExactly(404, 200);
        assertThat(ended.forget()).isTrue();
        assertThat(status(next)).isEqualTo(404);
    }

    @Test
    void onePassForgetsAThousandKeysOfTheOldestFirst() throws SQLException {
        database().execute("""
                insert into api_key (id, tenant, label, sha256, created_at, expires_at, version, lineage)
                select 'endedlong' || lpad(i::text, 5, '0'), 'ended', '', sha256(i::text::bytea), now(),
                    now() - interval '30 days' - i * interval '1 s', 0, '' from generate_series(1, 1001) i""");

        assertThat(ended.forget()).isTrue();

        assertThat(status("endedlong00001")).isEqualTo(200);
        assertThat(database().number("select count(*) from api_key where id like 'endedlong%'"))
                .isEqualTo(1);
        assertThat(ended.forget()).isTrue();
        assertThat(status("endedlong00001")).isEqualTo(404);
    }

    @Test
    void theIdOfAForgottenKeyIsNeverAKeyAgain() {
        String path = KEYS + "endedforevermore";
        Map<String, String> spec = Map.of("secret", "s".repeat(43));
        put(path, spec).then().statusCode(201);
        admin().delete(path);
        clock.move(EndedKeys.KEPT);
        forgetAll();

        put(path, spec)
                .then()
                .statusCode(409)
                .body("detail", containsString("the key endedforevermore has ended and was forgotten"));
    }

    @Test
    void forgettingIsNoChangeThatDataPlanesHaveToHearOf() {
        String id = made();
        admin().delete(KEYS + id);
        clock.move(EndedKeys.KEPT);

        assertThat(affected(this::forgetAll).keyIds()).isEmpty();

        assertThat(status(id)).isEqualTo(404);
    }
}
