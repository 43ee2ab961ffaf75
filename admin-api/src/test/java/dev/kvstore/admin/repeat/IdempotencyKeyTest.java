package dev.kvstore.admin.repeat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Role;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdempotencyKeyTest {
    private static final Caller ADMIN = new Caller("a", Role.PLATFORM_ADMIN, null);
    private static final byte[] BODY = "{\"key\":\"kv_a_secret\"}".getBytes(UTF_8);

    private final SecureRandom random = new SecureRandom();

    @Test
    void isAnotherOfEachCallerAndText() {
        Set<String> ids = new HashSet<>();
        List<Caller> callers = List.of(
                ADMIN,
                new Caller("b", Role.PLATFORM_ADMIN, null),
                new Caller("a", Role.OPERATOR, null),
                new Caller("a", Role.TENANT_ADMIN, "t"),
                new Caller("a", Role.TENANT_ADMIN, "u"));
        for (Caller caller : callers) {
            ids.add(HexFormat.of().formatHex(IdempotencyKey.of("1", caller).id()));
            ids.add(HexFormat.of().formatHex(IdempotencyKey.of("2", caller).id()));
        }

        assertThat(ids).hasSize(2 * callers.size());
        assertThat(IdempotencyKey.of("1", ADMIN).id())
                .isEqualTo(IdempotencyKey.of("1", ADMIN).id());
    }

    @Test
    void opensWhatItSealed() {
        byte[] sealed = IdempotencyKey.of("1", ADMIN).seal().seal(BODY, random);

        assertThat(IdempotencyKey.of("1", ADMIN).seal().open(sealed)).isEqualTo(BODY);
        assertThat(new String(sealed, UTF_8)).doesNotContain("secret");
        assertThat(IdempotencyKey.of("1", ADMIN).seal().seal(BODY, random)).isNotEqualTo(sealed);
    }

    @Test
    void opensNothingElse() {
        byte[] sealed = IdempotencyKey.of("1", ADMIN).seal().seal(BODY, random);
        byte[] changed = sealed.clone();
        changed[changed.length - 1] ^= 1;

        assertThatThrownBy(() -> IdempotencyKey.of("2", ADMIN).seal().open(sealed))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> IdempotencyKey.of("1", ADMIN).seal().open(changed))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> IdempotencyKey.of("1", ADMIN).seal().open(new byte[3]))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tellsRequestsApart() {
        IdempotencyKey key = IdempotencyKey.of("1", ADMIN);
        byte[] fingerprint = key.fingerprint("POST", "/v1/a", BODY);

        assertThat(key.fingerprint("POST", "/v1/a", BODY)).isEqualTo(fingerprint);
        assertThat(key.fingerprint("POST", "/v1/b", BODY)).isNotEqualTo(fingerprint);
        assertThat(key.fingerprint("POST", "/v1/a", new byte[0])).isNotEqualTo(fingerprint);
        assertThat(IdempotencyKey.of("2", ADMIN).fingerprint("POST", "/v1/a", BODY))
                .isNotEqualTo(fingerprint);
    }
}
