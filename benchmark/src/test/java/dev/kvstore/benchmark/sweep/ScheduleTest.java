package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When the iterations of an open loop are due. */
class ScheduleTest {
    private static final long START = -5;

    @Test
    void iterationsAreDueAtEvenDistances() {
        assertThat(next(3, ClientProcess.schedule(START, 1_000, 0, 1)))
                .containsExactly(START, START + 1_000_000, START + 2_000_000);
    }

    @Test
    void severalPlacesShareThem() {
        LongStream all = IntStream.range(0, 3)
                .mapToObj(place -> next(2, ClientProcess.schedule(START, 3_000, place, 3)))
                .flatMapToLong(LongStream::of);

        assertThat(all.sorted().toArray()).isEqualTo(next(6, ClientProcess.schedule(START, 3_000, 0, 1)));
    }

    private static long[] next(int count, LongSupplier schedule) {
        return LongStream.generate(schedule).limit(count).toArray();
    }
}
