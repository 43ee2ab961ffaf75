package dev.kvstore.dataplane.presence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

final class HeapLimitTest {
    private static final long MIB = 1 << 20;

    @Test
    void anAccountMayHaveTwiceWhatIsSetAndAllThreeTimes() {
        HeapLimit limit = HeapLimit.of(128 * MIB, 8192 * MIB);

        assertThat(limit.mostOfAccount()).isEqualTo(256 * MIB);
        assertThat(limit.most()).isEqualTo(384 * MIB);
    }

    @Test
    void allHaveNoMoreThanHalfOfTheHeap() {
        assertThat(HeapLimit.of(128 * MIB, 512 * MIB).most()).isEqualTo(256 * MIB);
    }

    @Test
    void whatOneAccountHasIsNotTakenFromAllOthers() throws Exception {
        HeapLimit limit = HeapLimit.of(128 * MIB, 8192 * MIB);
        HeapLimit.HeapReservation greedy = limit.claim("greedy");
        greedy.take(100 * MIB);
        limit.claim("greedy").take(156 * MIB);

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> greedy.take(1))
                .matches(UnreadableException::isBeyondLimits);
        limit.claim("other").take(128 * MIB);
        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> limit.claim("third").take(1));

        assertThat(greedy.settle(0)).isTrue();
        limit.claim("third").take(100 * MIB);
        assertThat(limit.taken()).isEqualTo(384 * MIB);
    }

    @Test
    void whatIsMoreThanThereIsRoomForIsKnownToBe() {
        HeapLimit limit = HeapLimit.of(0, 8192 * MIB);
        HeapLimit.HeapReservation claim = limit.claim("a");

        assertThat(claim.settle(limit.mostOfAccount() + 1)).isFalse();
        assertThat(limit.taken()).isEqualTo(limit.mostOfAccount() + 1);
        assertThat(claim.settle(1)).isTrue();
        assertThat(limit.taken()).isEqualTo(1);
    }
}
