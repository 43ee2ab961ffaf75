package dev.kvstore.dataplane.memory;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No schedule gives a page to two takers, or counts one wrongly. */
@Tag("slow")
final class PageHeapRacesTest {
    private static final long SPARE_BYTES = 2L * PageHeap.CHUNK_BYTES;

    @Test
    void aPageHasOneTaker() {
        PageHeap heap = new PageHeap(SPARE_BYTES);
        heap.allow(SPARE_BYTES);
        heap.giveBack(heap.take(1));

        Schedules.explore(() -> {
            long before = heap.memoryBytes();
            Span[] taken = new Span[3];

            race(
                    () -> taken[0] = heap.take(1),
                    () -> {
                        heap.giveBack(heap.take(2));
                        taken[1] = heap.take(1);
                    },
                    () -> taken[2] = heap.take(2));

            assertApart(taken[0], taken[1]);
            assertApart(taken[0], taken[2]);
            assertApart(taken[1], taken[2]);
            race(() -> heap.giveBack(taken[0]), () -> heap.giveBack(taken[1]), () -> heap.giveBack(taken[2]));
            assertThat(heap.heldBytes()).isEqualTo(PageHeap.CHUNK_BYTES);
            assertThat(heap.memoryBytes()).isBetween(before, SPARE_BYTES);
        });
    }

    private static void assertApart(Span one, Span other) {
        assertThat(one.first() + one.pages() <= other.first() || other.first() + other.pages() <= one.first())
                .as("%s pages from %s, and %s from %s", one.pages(), one.first(), other.pages(), other.first())
                .isTrue();
    }
}
