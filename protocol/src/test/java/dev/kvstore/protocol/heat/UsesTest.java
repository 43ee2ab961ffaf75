package dev.kvstore.protocol.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class UsesTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    @Test
    void aUseCountsHalfAsMuchAsOneHalfALifeLater() {
        assertThat(Uses.count(Uses.at(NOW.minus(Uses.HALF_LIFE)), NOW)).isCloseTo(0.5, within(1e-6));
        assertThat(Uses.count(Uses.at(NOW), NOW)).isCloseTo(1, within(1e-6));
    }

    @Property
    void aSumIsThatOfAllItsUsesInWhateverOrder(
            @ForAll @Size(min = 1, max = 50) List<@LongRange(max = 86_400) Long> secondsAgo) {
        double forth = Uses.NONE;
        double back = Uses.NONE;
        double exact = 0;
        for (int i = 0; i < secondsAgo.size(); i++) {
            forth = Uses.sum(forth, at(secondsAgo.get(i)));
            back = Uses.sum(at(secondsAgo.get(secondsAgo.size() - 1 - i)), back);
            exact += Math.pow(2, -secondsAgo.get(i) / (double) Uses.HALF_LIFE.toSeconds());
        }

        assertThat(Uses.count(forth, NOW)).isCloseTo(exact, within(exact * 1e-6));
        assertThat(Uses.count(back, NOW)).isCloseTo(exact, within(exact * 1e-6));
    }

    @Property
    void whoHasNoUseAddsNothing(@ForAll @DoubleRange(max = 1e9) double uses) {
        assertThat(Uses.sum(uses, Uses.NONE)).isEqualTo(uses);
        assertThat(Uses.sum(Uses.NONE, Uses.NONE)).isEqualTo(Uses.NONE);
    }

    private static double at(long secondsAgo) {
        return Uses.at(NOW.minusSeconds(secondsAgo));
    }
}
