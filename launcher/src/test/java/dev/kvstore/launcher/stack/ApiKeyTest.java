package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    @Test
    void hasAnIdAndASecretOf256Bits() {
        ApiKey key = ApiKey.generate(new Random(1));

        assertThat(key.text()).matches("kv_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
        assertThat(key.text()).startsWith("kv_" + key.id() + "_");
    }

    @Test
    void isAnotherOneEachTime() {
        Random random = new Random(1);

        assertThat(ApiKey.generate(random)).isNotEqualTo(ApiKey.generate(random));
    }

    @Test
    void isKnownToServersByTheHashOfItsWholeText() {
        // printf %s kv_00000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA | sha256sum
        ApiKey key = new ApiKey("kv_00000000_" + "A".repeat(43));

        assertThat(key.sha256()).isEqualTo("1ff126084e49ddead04146e7d0ac44679ee60da956fd5d838b44f84f9b2a2533");
    }

    @Test
    void takesTheLongerIdsOfAControlPlane() {
        assertThat(new ApiKey("kv_0123456789az_" + "A_".repeat(21) + "A").id()).isEqualTo("0123456789az");
    }

    @Test
    void takesTheLongestIdsAndSecretsThatCallersOfAControlPlaneChoose() {
        assertThat(new ApiKey("kv_" + "a".repeat(40) + "_" + "_".repeat(128)).id())
                .isEqualTo("a".repeat(40));
    }

    @Test
    void keepsItsSecretOutOfLogs() {
        ApiKey key = ApiKey.generate(new Random(1));

        assertThat(key.toString()).contains(key.id()).doesNotContain(key.text().substring(12));
    }

    @Test
    void refusesOtherText() {
        assertThatThrownBy(() -> new ApiKey("kv_123_secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret")
                .hasMessageContaining("kv_<8 to 40 letters and digits>");
    }
}
