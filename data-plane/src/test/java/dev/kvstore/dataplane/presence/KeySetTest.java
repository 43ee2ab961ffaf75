package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class KeySetTest {
    @Property(tries = 200)
    void isASet(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int different) {
        Random random = new Random(seed);
        KeySet keys = new KeySet();
        Set<Long> model = new HashSet<>();

        for (int i = 0; i < 2_000; i++) {
            long key = random.nextInt(different) - 1L;
            switch (random.nextInt(20)) {
                case 0 -> {
                    keys = keys.without(each -> each % 3 == key % 3);
                    model.removeIf(each -> each % 3 == key % 3);
                }
                case 1, 2, 3, 4, 5 -> {
                    keys.remove(key);
                    model.remove(key);
                }
                default -> assertThat(keys.add(key)).isEqualTo(model.add(key));
            }
            assertThat(keys.contains(key)).isEqualTo(model.contains(key));
            assertThat(keys.size()).isEqualTo(model.size());
        }

        assertThat(keys.toArray()).containsExactlyInAnyOrder(array(model));
    }

    @Property(tries = 50)
    void takesAnyNumber(@ForAll @Size(max = 100) Set<Long> some, @ForAll long other) {
        KeySet keys = new KeySet();

        keys.addAll(some);

        assertThat(keys.toArray()).containsExactlyInAnyOrder(array(some));
        assertThat(keys.contains(other)).isEqualTo(some.contains(other));
    }

    @Property(tries = 20)
    void isNeverWithoutAKeyWhileOthersComeAndGo(@ForAll @LongRange(max = 1000) long kept) throws Exception {
        KeySet keys = new KeySet();
        keys.add(kept);
        Thread writer = Thread.ofVirtual().start(() -> {
            for (long key = kept + 1; key < kept + 20_000; key++) {
                keys.add(key);
                keys.remove(key - 5 > kept ? key - 5 : key);
            }
        });

        while (writer.isAlive()) {
            assertThat(keys.contains(kept)).isTrue();
        }

        writer.join();
    }

    @Test
    void isEmptyOnceItWasCleared() {
        KeySet keys = new KeySet();
        keys.addAll(List.of(1L, 2L));

        keys.clear();

        assertThat(keys.size()).isZero();
        assertThat(keys.contains(1)).isFalse();
    }

    private static long[] array(Set<Long> keys) {
        return keys.stream().mapToLong(key -> key).toArray();
    }
}
