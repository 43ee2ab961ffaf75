package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.NotGranted;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.Storage;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CachedResolutionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ResolutionSubject SUBJECT =
            new ResolutionSubject(new Credential("a1", "0f".repeat(32)), "demo");

    @Test
    void aKeyThatEndsIsUnknownFromThenOn() {
        CachedResolution answer = answer(ResolveResponse.newBuilder()
                .setNotGranted(NotGranted.newBuilder()
                        .setExpiresAt(Timestamp.newBuilder().setSeconds(NOW.getEpochSecond()))));

        assertThat(answer.at(NOW.minusNanos(1))).isInstanceOf(Resolution.NotGranted.class);
        assertThat(answer.at(NOW)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void aRightOfALaterVersionIsNotGranted() {
        Granted.Builder granted =
                granted(filesystem("/somewhere")).addRights(Right.newBuilder().setAccessValue(9));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> answer(ResolveResponse.newBuilder().setGranted(granted)))
                .withMessageStartingWith("rights: ");
    }

    @Test
    void anOutcomeOfALaterVersionIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> answer(ResolveResponse.newBuilder()))
                .withMessageStartingWith("outcome: ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://a.example.org            | keyvault:https://v/s   | must be keyvault:https://VAULT.vault.azure.net/secrets/NAME
            https://a.example.org            | env:KVSTORE_JOIN_TOKEN | storage.credential: must not be this data plane's own
            ftp://a.example.org              | managed-identity       | storage.endpoint: must be http:// or https:// and a host
            https://user@a.example.org       | managed-identity       | storage.endpoint: must be http:// or https:// and a host
            https://a b.example.org?s3cr3t   | managed-identity       | storage.endpoint: must be http:// or https:// and a host
            https://a.example.org?sig=s3cr3t | managed-identity       | storage.endpoint: must be http:// or https:// and a host
            """)
    void storageThatCannotBeUsedHereIsRefusedByName(String endpoint, String credential, String message) {
        Storage storage = Storage.newBuilder()
                .setAzure(AzureStorage.newBuilder()
                        .setEndpoint(endpoint)
                        .setContainer("blocks")
                        .setCredential(credential))
                .build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> answer(ResolveResponse.newBuilder()
                        .setGranted(
                                granted(storage).addRights(Right.newBuilder().setAccess(Right.Access.READ)))))
                .withMessageStartingWith(message)
                .withMessageNotContaining("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0
            60, 60
            86399, 86399
            86400, 86400
            86401, 86400
            9223372036854775807, 86400
            -1, 0
            """)
    void anAnswerServesWithoutTheControlPlaneAsItsAccountSaysAndADayAtMost(long said, long seconds) {
        Granted.Builder granted =
                granted(filesystem("/somewhere")).addRights(Right.newBuilder().setAccess(Right.Access.READ));
        granted.getAccountBuilder().setMaxOffline(Duration.newBuilder().setSeconds(said));

        assertThat(answer(ResolveResponse.newBuilder().setGranted(granted)).maxOffline())
                .isEqualTo(java.time.Duration.ofSeconds(seconds));
    }

    private static Granted.Builder granted(Storage storage) {
        return Granted.newBuilder()
                .setAccount(Account.newBuilder().setResourceName("demo").setStorage(storage));
    }

    private static Storage filesystem(String path) {
        return Storage.newBuilder()
                .setFilesystem(FilesystemStorage.newBuilder().setPath(path))
                .build();
    }

    private static CachedResolution answer(ResolveResponse.Builder response) {
        return CachedResolution.of(SUBJECT, response.build(), new ClockMoment(NOW, 0));
    }
}
