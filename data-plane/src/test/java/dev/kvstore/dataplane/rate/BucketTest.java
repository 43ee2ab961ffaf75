package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.format.BlockHeader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class BucketTest {
    private static final long RATE = 1000;
    private static final long BURST = BlockHeader.MAX_BUFFER_BYTES;

    private final AtomicLong clock = new AtomicLong();
    private final Bucket bucket = new Bucket(clock::get, BlockHeader.MAX_BUFFER_BYTES);

    @Test
    void whatWasSavedUpPassesAtOnce() {
        assertThat(bucket.take(BURST, RATE)).isZero();
        assertThat(bucket.due(RATE)).isZero();
    }

    @Test
    void whatPassesBeyondThatHasToBePaidOffBeforeTheNext() {
        var _ = bucket.take(BURST, RATE);
        assertThat(bucket.take(500, RATE)).isZero();

        assertThat(bucket.take(1, RATE)).isEqualTo(Duration.ofMillis(500));
        advance(Duration.ofMillis(499));
        assertThat(bucket.take(1, RATE)).isEqualTo(Duration.ofMillis(1));
        advance(Duration.ofMillis(1));
        assertThat(bucket.take(1, RATE)).isZero();
    }

    @Test
    void whatIsChargedIsOwedWhateverIsOwedAlready() {
        bucket.charge(BURST + 1000, RATE);
        bucket.charge(1000, RATE);

        assertThat(bucket.due(RATE)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void noMoreIsSavedUpThanASecondsWorthOrABlock() {
        var _ = bucket.take(BURST, RATE);
        advance(Duration.ofDays(365));
        bucket.charge(BURST + 1000, RATE);
        assertThat(bucket.due(RATE)).isEqualTo(Duration.ofSeconds(1));

        long fast = 10 * BURST;
        advance(Duration.ofDays(365));
        bucket.charge(fast + fast / 2, fast);
        assertThat(bucket.due(fast)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void aDebtThatWouldTakeYearsIsToldAsADay() {
        bucket.charge(Long.MAX_VALUE / 2, 1);

        assertThat(bucket.due(1)).isEqualTo(Duration.ofDays(1));
    }

    @Property(tries = 200)
    void overAnyTimeNoMorePassesThanTheRateTheBurstAndOneBlock(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 2_000) Integer> pauses,
            @ForAll @IntRange(min = 1, max = (int) BURST) int block) {
        AtomicLong time = new AtomicLong();
        Bucket of = new Bucket(time::get, BlockHeader.MAX_BUFFER_BYTES);
        long rate = 10_000_000;
        double passed = 0;
        for (int millis : pauses) {
            time.addAndGet(Duration.ofMillis(millis).toNanos());
            if (of.take(block, rate).isZero()) {
                passed += block;
            }
            assertThat(passed).isLessThanOrEqualTo(BURST + block + time.get() / 1e9 * rate + 1);
        }
    }

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
