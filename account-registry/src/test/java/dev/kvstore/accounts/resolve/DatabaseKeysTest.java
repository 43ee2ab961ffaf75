package dev.kvstore.accounts.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.accounts.key.Secrets;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fingerprints by which a control plane turns away keys that never existed. */
@QuarkusTest
class DatabaseKeysTest extends RunningRegistry {
    @Inject
    @SuppressWarnings("NullAway.Init")
    DatabaseKeys keys;

    private List<Long> all() throws SQLException {
        List<Long> fingerprints = new ArrayList<>();
        var _ = keys.all(fingerprints::add);
        return fingerprints;
    }

    private static long fingerprint(String key) {
        return DatabaseKeys.fingerprint(Secrets.sha256(key));
    }

    @Test
    void everyKeyHasAFingerprintAlsoOneThatWasRevoked() throws Exception {
        tenant("fingerprinted");
        String good = key("fingerprinted");
        String revoked = key("fingerprinted");
        admin().delete("/v1/tenants/fingerprinted/keys/" + id(revoked));

        assertThat(all()).contains(fingerprint(good), fingerprint(revoked)).doesNotContain(fingerprint(good + "x"));
    }

    @Test
    void aReadingSaysWhichChangesItIncludes() throws Exception {
        tenant("fingerprint-changes");
        long before = keys.all(_ -> {});

        var _ = key("fingerprint-changes");

        assertThat(keys.all(_ -> {})).isEqualTo(before + 1).isEqualTo(changes.last());
    }

    @Test
    void theFingerprintsOfSomeKeysAreThoseThatExist() throws Exception {
        tenant("fingerprint-some");
        String one = key("fingerprint-some");
        String other = key("fingerprint-some");
        List<Long> found = new ArrayList<>();

        keys.some(List.of(id(one), "nosuchkeyhere"), found::add);

        assertThat(found).containsExactly(fingerprint(one)).doesNotContain(fingerprint(other));
    }

    @Test
    void aConnectionThatReadAllKeysIsAsItWasBefore() throws Exception {
        for (int i = 0; i < 50; i++) {
            var _ = keys.all(_ -> {});
        }
        tenant("fingerprint-after");
        String made = key("fingerprint-after");

        assertThat(all()).contains(fingerprint(made));
    }

    @Test
    void aFingerprintIsTheFirstEightBytesOfTheHash() {
        byte[] hash = new byte[32];
        hash[7] = 1;
        hash[8] = 127;

        assertThat(DatabaseKeys.fingerprint(hash)).isEqualTo(1);
    }
}
