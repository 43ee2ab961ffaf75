package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When storage that was not found good is tried again. */
final class ProbePausesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void storageThatStaysAwayIsTriedEverMoreSeldom() {
        List<Long> pauses = new ArrayList<>();
        Instant before = null;
        Instant last = START;
        for (int trial = 0; trial < 9; trial++) {
            Instant again = Probes.again(before, last);
            pauses.add(Duration.between(last, again).toSeconds());
            before = last;
            last = again;
        }

        assertThat(pauses).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L, 600L);
    }

    @Test
    void storageThatAnAdminHadTriedIsTriedAgainSoon() {
        Instant asked = START.plusSeconds(2);

        assertThat(Probes.again(START, asked)).isEqualTo(asked.plusSeconds(10));
    }
}
