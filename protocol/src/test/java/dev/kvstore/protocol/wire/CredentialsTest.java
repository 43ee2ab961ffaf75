package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    @Test
    void aKeyArrivesAsItWasSent() {
        assertThat(Credentials.bearer("kv_id.s3cr3t")).isEqualTo("Bearer kv_id.s3cr3t");
        assertThat(Credentials.key(metadata(Credentials.bearer("kv_id.s3cr3t"))))
                .isEqualTo("kv_id.s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bearer key", "BEARER key", "bEaReR key", "Bearer  key", "Bearer key ", "Bearer \t key"})
    void theSchemesCaseAndSpacesAroundTheKeyDoNotMatter(String value) {
        assertThat(Credentials.key(metadata(value))).isEqualTo("key");
    }

    @Test
    void theKeysCaseMatters() {
        assertThat(Credentials.key(metadata("BEARER KeY"))).isEqualTo("KeY");
    }

    @Test
    void withoutTheHeaderThereIsNoKey() {
        assertThat(Credentials.key(new Metadata())).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "key", "Bearer", "Bearer ", "Bearer   ", "Bearerkey", "Basic a2V5", " Bearer key"})
    void anythingButABearerKeyIsNoKey(String value) {
        assertThat(Credentials.key(metadata(value))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "key\n", "kéy", "\u007f"})
    void whatAHeaderCannotCarryIsNoKeyToSend(String key) {
        assertThatThrownBy(() -> Credentials.bearer(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("api key: must be visible ASCII characters without spaces");
    }

    private static Metadata metadata(String authorization) {
        Metadata metadata = new Metadata();
        metadata.put(Credentials.AUTHORIZATION, authorization);
        return metadata;
    }
}
