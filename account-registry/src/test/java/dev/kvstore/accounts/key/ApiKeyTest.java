package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a key is good, and what a key that takes its place changes. */
final class ApiKeyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private static ApiKey key(String id, @Nullable Instant end) {
        return new ApiKey(id, "tenant", "label", Secrets.sha256(Secrets.key(id, "secret")), NOW, end);
    }

    @Test
    void aKeyWithoutAnEndIsGoodUntilItIsRevoked() {
        ApiKey key = key("one", null);
        assertThat(key.isGood(LATER)).isTrue();

        key.revoke(LATER);

        assertThat(key.isGood(LATER)).isFalse();
    }

    @Test
    void aKeyIsGoodBeforeItsEndAndNotAtIt() {
        ApiKey key = key("one", LATER);

        assertThat(key.isGood(LATER.minusNanos(1))).isTrue();
        assertThat(key.isGood(LATER)).isFalse();
    }

    @Test
    void onlyTheWholeKeyIsTheKey() {
        ApiKey key = key("one", null);

        assertThat(key.isOf("kv_one_secret")).isTrue();
        assertThat(key.isOf("kv_one_secre")).isFalse();
        assertThat(key.isOf("kv_two_secret")).isFalse();
    }

    @Test
    void aKeyThatTakesThePlaceOfAnotherEndsThatOne() {
        ApiKey old = key("old", null);
        ApiKey next = key("next", null);
        next.follow(old, LATER);

        assertThat(old.isGood(LATER)).isFalse();
        assertThat(old.successor()).isEqualTo("next");
        assertThat(next.isGood(LATER)).isTrue();
        assertThat(next.lineage()).isEqualTo(old.lineage());
    }

    @Test
    void aKeyThatTakesThePlaceOfAnotherDoesNotPutOffItsEnd() {
        ApiKey old = key("old", LATER);
        key("next", null).follow(old, LATER.plusSeconds(60));

        assertThat(old.expiresAt()).isEqualTo(LATER);
    }

    @Test
    void keysThatFollowEachOtherAreOfOneLineage() {
        ApiKey first = key("first", null);
        ApiKey second = key("second", null);
        ApiKey third = key("third", null);
        second.follow(first, LATER);
        third.follow(second, LATER);

        assertThat(third.lineage()).isEqualTo("first");
    }
}
