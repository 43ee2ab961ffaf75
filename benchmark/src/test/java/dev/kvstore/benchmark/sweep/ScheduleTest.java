package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long START = -5;

    @Test
    void iterationsAreDueAtEvenDistances() {
        Schedule schedule = new Schedule(START, 1_000, 0, 1);

        assertThat(List.of(schedule.next(), schedule.next(), schedule.next()))
                .containsExactly(START, START + 1_000_000, START + 2_000_000);
    }

    @Test
    void severalPlacesShareThem() {
        List<Long> all = new ArrayList<>();
        for (int place = 0; place < 3; place++) {
            Schedule schedule = new Schedule(START, 3_000, place, 3);
            all.add(schedule.next());
            all.add(schedule.next());
        }

        Schedule whole = new Schedule(START, 3_000, 0, 1);
        assertThat(all)
                .containsExactlyInAnyOrder(
                        whole.next(), whole.next(), whole.next(), whole.next(), whole.next(), whole.next());
    }
}
