package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import org.junit.jupiter.api.Test;

/** {@link PhaseTally}. */
class PhaseTallyTest {
    private final PhaseTally tally = new PhaseTally("before");

    @Test
    void partsRequestsByThePhaseInWhichTheyEnd() {
        tally.count("lookup", () -> 3);
        tally.count("lookup", () -> {
            tally.begin("during", Double.MAX_VALUE);
            return 0;
        });
        tally.begin("before", Double.MAX_VALUE);
        tally.count("read", () -> 1);

        assertThat(tally.latencies("before")).containsOnlyKeys("lookup", "read");
        assertThat(tally.latencies("during")).containsOnlyKeys("lookup");
        assertThat(tally.requests()).isEqualTo(3);
        assertThat(tally.misses()).isEqualTo(4);
        assertThat(tally.failed()).isZero();
    }

    @Test
    void knowsTheEndOfTheLastSlowRequestOfAPhase() {
        tally.count("read", () -> 0);
        tally.begin("during", 0);
        tally.count("read", () -> 0);
        tally.begin("after", 1_000_000);
        tally.count("read", () -> 0);

        assertThat(tally.secondsUntilFast("before")).isZero();
        assertThat(tally.secondsUntilFast("during")).isPositive();
        assertThat(tally.secondsUntilFast("after")).isZero();
    }

    @Test
    void measuresPausesFromTheFirstAnswerOn() {
        assertThat(tally.pauseMillis()).isZero();

        tally.count("lookup", () -> 0);

        assertThat(tally.pauseMillis()).isPositive();
    }

    @Test
    void saysWhyTheFirstRequestsFailedAndCountsTheOthers() {
        for (int i = 0; i < 7; i++) {
            tally.count("write", () -> {
                throw new KvStoreException(ErrorCode.UNAVAILABLE, "away");
            });
        }

        assertThat(tally.failed()).isEqualTo(7);
        assertThat(tally.failures()).hasSize(5).containsOnly("write: UNAVAILABLE: away (before)");
    }
}
