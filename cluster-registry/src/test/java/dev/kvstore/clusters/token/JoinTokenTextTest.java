package dev.kvstore.clusters.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of join tokens. */
class JoinTokenTextTest {
    private final SecureRandom random = new SecureRandom();

    @Test
    void aTokenThatWasMadeIsRead() {
        JoinTokenText made = JoinTokenText.make(random);

        assertThat(made.text()).matches("kvj_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
        assertThat(JoinTokenText.of(made.text())).contains(made);
    }

    @Property(tries = 300)
    void aTokenWithAChosenSecretIsReadAndHasThatSecret(
            @ForAll @StringLength(min = 43, max = 128) @Chars({'a', 'Z', '0', '_', '-'}) String secret) {
        JoinTokenText made = JoinTokenText.make(random, secret);

        assertThat(made.text()).isEqualTo("kvj_" + made.id() + "_" + secret);
        assertThat(JoinTokenText.of(made.text())).contains(made);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "kvj_",
                "kvj_abcdefghijkl_",
                "kvj_abcdefghijkl_0123456789012345678901234567890123456789",
                "kvj_abcdefghijk_0123456789012345678901234567890123456789012",
                "kvj_abcdefghijkL_0123456789012345678901234567890123456789012",
                "kv_abcdefghijkl_0123456789012345678901234567890123456789012",
                " kvj_abcdefghijkl_0123456789012345678901234567890123456789012",
                "kvj_abcdefghijkl_0123456789012345678901234567890123456789012\n"
            })
    void anotherTextIsNone(String text) {
        assertThat(JoinTokenText.of(text)).isEmpty();
    }

    @Test
    void aSecretHasAtMost128Characters() {
        assertThat(JoinTokenText.of("kvj_abcdefghijkl_" + "x".repeat(128))).isPresent();
        assertThat(JoinTokenText.of("kvj_abcdefghijkl_" + "x".repeat(129))).isEmpty();
    }

    @Test
    void noTwoTokensAreAlike() {
        Set<String> ids = IntStream.range(0, 1_000)
                .mapToObj(_ -> JoinTokenText.make(random).id())
                .collect(Collectors.toSet());

        assertThat(ids).hasSize(1_000);
        assertThat(ids.stream().flatMapToInt(String::chars).distinct().count()).isEqualTo(36);
    }

    @Test
    void theHashIsThatOfTheWholeToken() {
        JoinTokenText one = new JoinTokenText("abcdefghijkl", "kvj_abcdefghijkl_secret");

        assertThat(one.sha256()).hasSize(32);
        assertThat(one.sha256()).isNotEqualTo(new JoinTokenText("abcdefghijkl", "kvj_abcdefghijkl_secreT").sha256());
    }

    @Test
    void noSecretIsInTheTextOfARecord() {
        assertThat(new JoinTokenText("id", "kvj_id_secret")).hasToString("kvj_id");
        assertThat(new NewJoinToken("id", "kvj_id_secret", "c", "l", null)).hasToString("NewJoinToken[id]");
        assertThat(new JoinTokenSpec("l", null, "secret")).hasToString("JoinTokenSpec[l, null]");
    }
}
