package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialTest {
    @Test
    void itHasTheIdAndTheHashOfTheWholeKey() {
        Credential credential = Credential.of("kv_a-1_se_cret");

        assertThat(credential).isNotNull();
        assertThat(credential.keyId()).isEqualTo("a-1");
        // printf %s kv_a-1_se_cret | sha256sum
        assertThat(credential.sha256()).isEqualTo("ccb6b97fc1e6d290b9663368b0dd1ba18af7f9005efda9b1639b3a40aa58666a");
    }

    @Test
    void itsTextHasNoHash() {
        assertThat(Credential.of("kv_a1_secret")).hasToString("Credential[a1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kv", "kv_a1", "kv__secret", "KV_a1_secret", "kv_a.1_secret", "xx_a1_secret"})
    void whatIsOfAnotherFormIsNone(String apiKey) {
        assertThat(Credential.of(apiKey)).isNull();
    }

    @Test
    void anIdHas64CharactersAtMost() {
        assertThat(Credential.of("kv_" + "a".repeat(64) + "_s")).isNotNull();
        assertThat(Credential.of("kv_" + "a".repeat(65) + "_s")).isNull();
    }

    @Test
    void itMayHaveTheLongestIdAndSecretThatACallerOfTheControlPlaneChooses() {
        String id = "a1".repeat(20);

        assertThat(Credential.of("kv_" + id + "_" + "_".repeat(128)))
                .extracting(Credential::keyId)
                .isEqualTo(id);
    }
}
