package dev.kvstore.client.internal;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.testing.schedule.Schedules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule reads hold no more than the limit, and give all of it back. */
@Tag("slow")
final class ReadMemoryRacesTest {
    private static final long LIMIT = 100;

    @Test
    void sharesStayWithinTheLimit() {
        Schedules.explore(() -> {
            ReadMemory memory = new ReadMemory(LIMIT);

            race(() -> read(memory, 80), () -> read(memory, 80), () -> read(memory, 80));

            assertThat(memory.shared()).isZero();
        });
    }

    private static void read(ReadMemory memory, long wanted) {
        long share;
        try {
            share = memory.take(wanted, 40);
        } catch (KvStoreException e) {
            return;
        }
        assertThat(memory.shared()).isBetween(share, LIMIT);
        memory.giveBack(share);
    }
}
