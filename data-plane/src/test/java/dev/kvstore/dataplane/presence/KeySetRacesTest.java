package dev.kvstore.dataplane.presence;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule a question, which takes no lock, is answered as before or after each change. */
@Tag("slow")
final class KeySetRacesTest {
    /** With one more, the table is built anew. */
    private static final int FULL = 10;

    @Test
    void aKeyIsFoundWhileTheTableGrows() {
        Schedules.explore(() -> {
            KeySet keys = full();

            race(() -> keys.add(FULL), () -> assertThat(keys.contains(0)).isTrue(), () -> keys.add(FULL + 1));

            assertThat(keys.size()).isEqualTo(FULL + 2);
            for (long key = 0; key < FULL + 2; key++) {
                assertThat(keys.contains(key)).isTrue();
            }
        });
    }

    @Test
    void aKeyThatWasRemovedStaysAway() {
        Schedules.explore(() -> {
            KeySet keys = full();

            race(() -> keys.add(FULL), () -> {
                keys.remove(0);
                assertThat(keys.contains(0)).isFalse();
                assertThat(keys.contains(1)).isTrue();
            });

            assertThat(keys.contains(0)).isFalse();
            assertThat(keys.size()).isEqualTo(FULL);
        });
    }

    @Test
    void aKeyThatWasAddedAgainIsFound() {
        Schedules.explore(() -> {
            KeySet keys = new KeySet();
            keys.add(1);

            race(
                    () -> {
                        keys.remove(1);
                        assertThat(keys.add(1)).isTrue();
                        assertThat(keys.contains(1)).isTrue();
                    },
                    () -> keys.contains(1),
                    () -> keys.add(2));

            assertThat(keys.toArray()).containsExactlyInAnyOrder(1, 2);
        });
    }

    private static KeySet full() {
        KeySet keys = new KeySet();
        for (long key = 0; key < FULL; key++) {
            keys.add(key);
        }
        return keys;
    }
}
