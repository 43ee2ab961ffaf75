package dev.kvstore.dataplane.tier.disk;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule the index is a map, also while its table grows and closes gaps. */
@Tag("slow")
final class DiskIndexRacesTest {
    private static final int FULL = 12;

    @Test
    void aRecordIsFoundWhileTheTableGrows() {
        Schedules.explore(() -> {
            IndexStripe stripe = new IndexStripe();
            fill(stripe);

            race(
                    () -> stripe.put(key(FULL), place(FULL)),
                    () -> stripe.put(key(FULL + 1), place(FULL + 1)),
                    () -> assertThat(stripe.find(key(0), true)).isEqualTo(place(0)));

            assertThat(stripe.size()).isEqualTo(FULL + 2);
            for (int i = 0; i < FULL + 2; i++) {
                assertThat(stripe.find(key(i), false)).isEqualTo(place(i));
            }
        });
    }

    @Test
    void aRecordIsFoundWhileGapsClose() {
        Schedules.explore(() -> {
            IndexStripe stripe = new IndexStripe();
            fill(stripe);

            race(
                    () -> assertThat(stripe.remove(key(1))).isTrue(),
                    () -> stripe.removeRegion(place(2).region()),
                    () -> assertThat(stripe.find(key(3), true)).isEqualTo(place(3)));

            assertThat(stripe.size()).isEqualTo(FULL - 2);
            assertThat(stripe.find(key(3), false)).isEqualTo(place(3));
        });
    }

    @Test
    void ofTwoThatMoveARecordOneDoes() {
        Schedules.explore(() -> {
            DiskIndex index = new DiskIndex();
            index.put(key(0), place(0));
            boolean[] moved = new boolean[2];

            race(
                    () -> moved[0] = index.replace(key(0), place(0), place(1)),
                    () -> moved[1] = index.replace(key(0), place(0), place(2)),
                    () -> index.read(key(0)));

            assertThat(moved[0]).isNotEqualTo(moved[1]);
            assertThat(index.isAt(key(0), place(moved[0] ? 1 : 2))).isTrue();
        });
    }

    private static void fill(IndexStripe stripe) {
        for (int i = 0; i < FULL; i++) {
            stripe.put(key(i), place(i));
        }
    }

    /** Keys that hash to the same place of the index, so that each key moves the next one on. */
    private static RecordKey key(int i) {
        return new RecordKey(i, 0);
    }

    private static DiskAddress place(int i) {
        return new DiskAddress(i, i, 1 + i);
    }
}
