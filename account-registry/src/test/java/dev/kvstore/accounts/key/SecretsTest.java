package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** The text of keys. */
class SecretsTest {
    private final Secrets secrets = new Secrets(new SecureRandom());

    @Test
    void aKeyHasAnIdAndASecretOf256Bits() {
        assertThat(secrets.key()).matches("kv_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
    }

    @Test
    void noTwoKeysAreAlike() {
        Set<String> ids = IntStream.range(0, 1_000)
                .mapToObj(_ -> Secrets.id(secrets.key()))
                .collect(Collectors.toSet());
        Set<String> texts =
                IntStream.range(0, 1_000).mapToObj(_ -> secrets.secret()).collect(Collectors.toSet());

        assertThat(ids).hasSize(1_000);
        assertThat(texts).hasSize(1_000);
    }

    @Test
    void idsUseEveryLetterAndDigit() {
        Set<Integer> letters = IntStream.range(0, 1_000)
                .mapToObj(_ -> Secrets.id(secrets.key()))
                .flatMapToInt(String::chars)
                .boxed()
                .collect(Collectors.toSet());

        assertThat(letters).hasSize(36);
    }

    @Property(tries = 200)
    void theIdIsReadFromAKeyWhateverItsSecret(
            @ForAll @StringLength(min = 12, max = 40) @CharRange(from = 'a', to = 'z') String id,
            @ForAll @StringLength(min = 43, max = 128) @Chars({'a', 'Z', '0', '_', '-'}) String secret) {
        assertThat(Secrets.id(Secrets.key(id, secret))).isEqualTo(id);
    }

    @Property(tries = 200)
    void onlyTheWholeTextIsTheKey(
            @ForAll @StringLength(min = 43, max = 60) @CharRange(from = 'a', to = 'z') String secret,
            @ForAll @StringLength(min = 43, max = 60) @CharRange(from = 'a', to = 'z') String other) {
        ApiKey key =
                new ApiKey("someid", "tenant", "", Secrets.sha256(Secrets.key("someid", secret)), Instant.EPOCH, null);

        assertThat(key.isOf(Secrets.key("someid", secret))).isTrue();
        assertThat(key.isOf(Secrets.key("someid", other))).isEqualTo(secret.equals(other));
    }

    @Test
    void neitherAKeyNorASecretIsInTheTextOfARecord() {
        assertThat(new NewKey("id", "kv_id_secret", "tenant", "label", null)).hasToString("NewKey[id]");
        assertThat(new ChosenKeySpec("label", null, "secret", "hash"))
                .asString()
                .isEqualTo("ChosenKeySpec[label, null]");
    }
}
