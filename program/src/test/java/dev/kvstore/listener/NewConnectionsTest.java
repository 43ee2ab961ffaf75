package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NewConnectionsTest {
    private static final int PER_SECOND = 10;
    private static final int AT_ONCE = 50;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 20 * SECOND);
    private final NewConnections turns = new NewConnections(PER_SECOND, time::get);

    private void takeAtOnce(Object origin, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(turns.turn(origin)).as("turn %d", i).hasValue(0);
        }
    }

    @Test
    void anAddressHasTheTurnsOfFiveSecondsAtOnce() {
        takeAtOnce("a", AT_ONCE);

        assertThat(turns.turn("a")).hasValue(SECOND / PER_SECOND);
        assertThat(turns.turn("a")).hasValue(2 * SECOND / PER_SECOND);
    }

    @Test
    void aConnectionThatWouldWaitForMoreThanFiveSecondsIsRefused() {
        takeAtOnce("a", AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            assertThat(turns.turn("a")).isPresent();
        }

        assertThat(turns.turn("a")).isEmpty();
        assertThat(turns.turn("a")).isEmpty();
    }

    @Test
    void aRefusedConnectionTakesNoTurn() {
        takeAtOnce("a", AT_ONCE);
        for (int i = 0; i < 3 * AT_ONCE; i++) {
            var _ = turns.turn("a");
        }

        time.addAndGet(NewConnections.PATIENCE.toNanos() + SECOND / PER_SECOND);

        assertThat(turns.turn("a")).hasValue(0);
    }

    @Test
    void turnsComeBackWithTime() {
        takeAtOnce("a", AT_ONCE);

        time.addAndGet(2 * SECOND);

        takeAtOnce("a", 2 * PER_SECOND);
        assertThat(turns.turn("a").orElseThrow()).isPositive();
    }

    @Test
    void aLongTimeGivesNoMoreThanTheTurnsOfFiveSeconds() {
        takeAtOnce("a", 1);

        time.addAndGet(1_000 * SECOND);

        takeAtOnce("a", AT_ONCE);
        assertThat(turns.turn("a").orElseThrow()).isPositive();
    }

    @Test
    void aConnectionWithAGoodCredentialTakesNoTurnInTheEnd() {
        for (int i = 0; i < 10 * AT_ONCE; i++) {
            assertThat(turns.turn("a")).hasValue(0);
            turns.proven("a");
        }
    }

    @Test
    void aConnectionThatIsClosedForWhatItSentCountsAsMany() {
        turns.charge("a", AT_ONCE - 1);

        takeAtOnce("a", 1);
        assertThat(turns.turn("a").orElseThrow()).isPositive();
    }

    @Test
    void anAddressOwesNoMoreThanAConnectionMayWait() {
        turns.charge("a", 1_000_000);
        assertThat(turns.turn("a")).isEmpty();

        time.addAndGet(SECOND / PER_SECOND);

        assertThat(turns.turn("a")).hasValue(NewConnections.PATIENCE.toNanos());
    }

    @Test
    void turnsAreOfOneAddress() {
        for (int i = 0; i < 3 * AT_ONCE; i++) {
            var _ = turns.turn("a");
        }

        takeAtOnce("b", AT_ONCE);
    }

    @Test
    void oneThatCannotWaitHasOnlyTheTurnsThatAreThere() {
        for (int i = 0; i < AT_ONCE; i++) {
            assertThat(turns.turnAtOnce("a")).isTrue();
        }

        assertThat(turns.turnAtOnce("a")).isFalse();
        time.addAndGet(SECOND / PER_SECOND);
        assertThat(turns.turnAtOnce("a")).isTrue();
    }

    @Test
    void addressesOfLongAgoAreForgotten() {
        for (int i = 0; i < 100; i++) {
            var _ = turns.turn(i);
            time.addAndGet(SECOND);
        }

        assertThat(turns.remembered()).isLessThanOrEqualTo(2);
    }

    @Test
    void noMoreAddressesAreRememberedThanTheLimit() {
        for (int i = 0; i < NewConnections.ADDRESSES + 100; i++) {
            var _ = turns.turn(i);
        }

        assertThat(turns.remembered()).isEqualTo(NewConnections.ADDRESSES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_000_001})
    void aRateOutOfRangeIsRefused(int perSecond) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NewConnections(perSecond, time::get))
                .withMessageContaining("has to be 1 to 1,000,000");
    }

    @Property
    void inNoTimeMoreBeginThanTheRateAllows(
            @ForAll @IntRange(min = 1, max = 1_000) int perSecond,
            @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 3_000_000_000L) Long> pauses) {
        AtomicLong clock = new AtomicLong();
        NewConnections fresh = new NewConnections(perSecond, clock::get);
        long last = 0;
        int begun = 0;
        for (long pause : pauses) {
            clock.addAndGet(pause);
            for (int i = 0; i < 20; i++) {
                var turn = fresh.turn("a");
                if (turn.isPresent()) {
                    begun++;
                    last = Math.max(last, clock.get() + turn.getAsLong());
                }
            }
        }

        long seconds = NewConnections.BURST.toSeconds() + last / SECOND + 1;
        assertThat((long) begun).isLessThanOrEqualTo(seconds * perSecond + perSecond);
    }
}
