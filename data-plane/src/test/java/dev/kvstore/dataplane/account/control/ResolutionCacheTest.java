package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.Storage;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResolutionCacheTest {
    private static final ClockMoment NOW = new ClockMoment(Instant.parse("2026-01-01T00:00:00Z"), 0);

    @ParameterizedTest
    @CsvSource({"1, 500, 900", "10, 100, 280", "1000, 1, 4"})
    void whatIsKeptIsBoundedByWhatItTakesHoweverManyRightsAnAnswerHas(int rights, int least, int most) {
        ResolutionCache answers = new ResolutionCache(ControlPlaneFixture.PATIENT);

        for (int i = 0; i < 1_000; i++) {
            ResolutionFlight flight = answers.join(new ResolutionFlight(subject("r" + i)));
            answers.keep(flight, CachedResolution.of(flight.subject(), granted(rights), NOW));
            answers.end(flight);
        }

        assertThat(answers.size()).isBetween(least, most);
        assertThat(answers.snapshot().granted().values().stream()
                        .mapToLong(CachedResolution::weight)
                        .sum())
                .isLessThanOrEqualTo(ControlPlaneFixture.PATIENT.grantedBytes());
    }

    private static ResolutionSubject subject(String resourceName) {
        return new ResolutionSubject(new Credential("k1", "0f".repeat(32)), resourceName);
    }

    private static ResolveResponse granted(int rights) {
        Granted.Builder granted = Granted.newBuilder()
                .setAccount(Account.newBuilder()
                        .setResourceName("demo")
                        .setStorage(Storage.newBuilder()
                                .setFilesystem(FilesystemStorage.newBuilder().setPath("/somewhere"))));
        for (int i = 0; i < rights; i++) {
            granted.addRights(Right.newBuilder().setAccess(Right.Access.READ).setPartition("model/rev" + i + "/fp16"));
        }
        return ResolveResponse.newBuilder().setGranted(granted).build();
    }
}
