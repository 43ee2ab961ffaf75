package dev.kvstore.admin.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link TokenBucket}: so many at once, and then one in each period. */
class TokenBucketTest {
    private long nanos = -5;
    private final TokenBucket budget = new TokenBucket(3, 10, () -> nanos);

    private int taken(int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += budget.take() ? 1 : 0;
        }
        return taken;
    }

    @Test
    void soManyAtOnceAndThenOneInEachPeriod() {
        assertThat(taken(10)).isEqualTo(3);

        nanos += TimeUnit.MILLISECONDS.toNanos(10);
        assertThat(taken(10)).isEqualTo(1);

        nanos += TimeUnit.MILLISECONDS.toNanos(9);
        assertThat(taken(10)).isZero();
    }

    @Test
    void whatIsNotTakenIsSavedUpToTheBurst() {
        assertThat(taken(3)).isEqualTo(3);
        nanos += TimeUnit.HOURS.toNanos(1);

        assertThat(taken(10)).isEqualTo(3);
    }
}
