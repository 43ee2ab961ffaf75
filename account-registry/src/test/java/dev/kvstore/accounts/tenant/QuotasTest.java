package dev.kvstore.accounts.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.kvstore.admin.problem.ProblemException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotasTest {
    private final Quotas quotas = new Quotas(1, 2, 3, 4, 5);

    @ParameterizedTest
    @CsvSource({
        "ACCOUNTS, 1",
        "KEYS, 2",
        "KEPT_KEYS, 20",
        "GRANTS, 3",
        "GRANTS_TO_ONE, 10000",
        "WARMINGS, 4",
        "PURGES, 5"
    })
    void thereMayBeAsManyAsTheSettingSaysAndNoMore(Quotas.What what, int most) {
        assertThatNoException().isThrownBy(() -> quotas.requireRoom(what, most - 1));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> quotas.requireRoom(what, most))
                .satisfies(e -> assertThat(e.problem().toString()).contains("at most " + most + " ", "end some"));
    }
}
