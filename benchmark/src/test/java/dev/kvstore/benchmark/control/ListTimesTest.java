package dev.kvstore.benchmark.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The figures of the times of a list's pages. */
class ListTimesTest {
    private static final long MILLISECOND = 1_000_000;

    @Test
    void comparesTheLastTenthOfThePagesWithTheFirst() {
        // 1, 2, ... 100 ms.
        long[] slower = LongStream.rangeClosed(1, 100).map(i -> i * MILLISECOND).toArray();

        ListTimes listing = ListTimes.of("all", 10, 1_000, List.of(slower));

        assertThat(listing.first()).isEqualTo(new ListTimes.Slice(6, 10));
        assertThat(listing.middle()).isEqualTo(new ListTimes.Slice(51, 55));
        assertThat(listing.last()).isEqualTo(new ListTimes.Slice(96, 100));
        assertThat(listing.flatness()).isEqualTo(16);
    }

    @Test
    void takesAllRoundsTogether() {
        long[] fast = LongStream.range(0, 10).map(_ -> MILLISECOND).toArray();
        long[] slow = LongStream.range(0, 10).map(_ -> 3 * MILLISECOND).toArray();

        ListTimes listing = ListTimes.of("all", 10, 100, List.of(fast, slow, slow));

        assertThat(listing.rounds()).isEqualTo(3);
        assertThat(listing.first().p50Millis()).isEqualTo(3);
        assertThat(listing.flatness()).isEqualTo(1);
    }

    @Test
    void leavesOutALastPageThatIsNotFull() {
        long[] nanos = LongStream.range(0, 11).map(_ -> MILLISECOND).toArray();
        nanos[10] = 90 * MILLISECOND;

        ListTimes listing = ListTimes.of("all", 10, 101, List.of(nanos));

        assertThat(listing.pages()).isEqualTo(11);
        assertThat(listing.last().p99Millis()).isEqualTo(1);
    }

    @Test
    void callsAListOfOnePageFlat() {
        ListTimes listing = ListTimes.of("tenant", 100, 10, List.of(new long[] {MILLISECOND}));

        assertThat(listing.first().p50Millis()).isEqualTo(1);
        assertThat(listing.flatness()).isEqualTo(1);
    }
}
