package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Database}: a URL may have secrets, and is shown without them. */
class DatabaseTest {
    private static final String PLACE = "jdbc:postgresql://db:5432/kv";

    @Test
    void userAndPasswordsOfAUrlAreNotShownAndGoBeforeOthers() throws Exception {
        Database database =
                Database.of(PLACE + "?user=kv&ssl=true&password=a%24b%26c&sslpassword=of+the+key", "other", "other");

        assertThat(database).isEqualTo(new Database(PLACE + "?ssl=true", "kv", "a$b&c", "of the key"));
        assertThat(database.properties()).containsEntry("password", "a$b&c").containsEntry("sslpassword", "of the key");
        assertThat(database.toString()).doesNotContain("a$b&c", "of the key");
    }

    @ParameterizedTest
    @ValueSource(strings = {PLACE, PLACE + "?", PLACE + "?ssl=true&sslmode=verify-full", "jdbc:postgresql:kv"})
    void aUrlWithoutThemStaysAsItIs(String url) throws Exception {
        assertThat(Database.of(url, "kv", "secret")).isEqualTo(new Database(url, "kv", "secret"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:postgresql://kv:canary@db/kv", PLACE + "?password=canary%", PLACE + "?password=%zcanary"})
    void aUrlThatTheDriverWouldMisunderstandIsRefusedWithoutItsPassword(String url) {
        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Database.of(url, "", ""))
                .withMessageStartingWith("--jdbc-url: ")
                .withMessageNotContaining("canary");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unknown option: '--jdbcurl=jdbc:postgresql://db/kv?user=kv&password=canary&ssl=true'",
                "Unmatched argument at index 1: 'jdbc:postgresql://db/kv?sslpassword=canary'",
                "Unmatched argument at index 1: 'jdbc:postgresql://kv:canary@db/kv'"
            })
    void aTextForPeopleHasNoPasswordOfAUrl(String text) {
        assertThat(Database.withoutPasswords(text)).doesNotContain("canary").contains("***");
    }
}
