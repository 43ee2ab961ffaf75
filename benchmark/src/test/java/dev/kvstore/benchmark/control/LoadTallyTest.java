package dev.kvstore.benchmark.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import org.junit.jupiter.api.Test;

/** The counts of a load. */
class LoadTallyTest {
    private final LoadTally tally = new LoadTally();

    @Test
    void partsRequestsByWhatWasThereWhenTheyBegan() {
        tally.count("lookup", () -> true);
        tally.count("lookup", () -> {
            tally.gone(true);
            return true;
        });
        tally.count("read", () -> true);

        assertThat(tally.whileThere()).containsOnlyKeys("lookup");
        assertThat(tally.whileThere())
                .hasEntrySatisfying("lookup", all -> assertThat(all.count()).isEqualTo(2));
        assertThat(tally.whileGone()).containsOnlyKeys("read");
        assertThat(tally.failed()).isZero();
    }

    @Test
    void measuresPausesFromTheFirstAnswerOn() {
        assertThat(tally.pauseMillis()).isZero();

        tally.count("lookup", () -> true);

        assertThat(tally.pauseMillis()).isPositive();
    }

    @Test
    void countsAWrongAnswerAsAFailure() {
        tally.count("read", () -> false);

        assertThat(tally.failed()).isEqualTo(1);
        assertThat(tally.failures()).containsExactly("read: a wrong answer (control plane there)");
    }

    @Test
    void saysWhyTheFirstRequestsFailedAndCountsTheOthers() {
        tally.gone(true);
        for (int i = 0; i < 7; i++) {
            tally.count("write", () -> {
                throw new KvStoreException(ErrorCode.UNAVAILABLE, "away");
            });
        }

        assertThat(tally.failed()).isEqualTo(7);
        assertThat(tally.failures()).hasSize(5).containsOnly("write: UNAVAILABLE: away (control plane gone)");
    }
}
