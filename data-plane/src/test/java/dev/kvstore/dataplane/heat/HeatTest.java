package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.heat.Uses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HeatTest {
    private static final int PARENT = 4711;
    private static final int BYTES = 1_200_000;

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final Heat heat = new Heat(() -> now, 1_600);

    private static UsedBlock block(int i) {
        SplittableRandom bits = new SplittableRandom(i);
        return new UsedBlock(
                "acme",
                new BlockHash(1, 2, 3, 4),
                new BlockHash(bits.nextLong(), bits.nextLong(), bits.nextLong(), bits.nextLong()));
    }

    private void use(int i) {
        heat.used(block(i), PARENT, BYTES);
    }

    private static List<UsedBlock> blocks(List<Use> uses) {
        return uses.stream().map(Use::block).toList();
    }

    @Test
    void whatWasUsedIsToldOnce() {
        use(1);
        use(1);
        use(2);

        assertThat(heat.tell(10))
                .containsExactlyInAnyOrder(
                        new Use(block(1), PARENT, BYTES, Uses.sum(Uses.at(now), Uses.at(now))),
                        new Use(block(2), PARENT, BYTES, Uses.at(now)));
        assertThat(heat.tell(10)).isEmpty();
    }

    @Test
    void whatIsUsedAgainIsToldOfThatUseAlone() {
        use(1);
        heat.tell(10);

        use(1);

        assertThat(heat.tell(10)).extracting(Use::uses).containsExactly(Uses.at(now));
    }

    @Test
    void ofMoreThanCanBeToldTheMostUsedComeFirst() {
        for (int i = 0; i < 100; i++) {
            use(i);
            now = now.plusSeconds(1);
        }

        assertThat(blocks(heat.tell(2))).containsExactly(block(99), block(98));
        assertThat(blocks(heat.tell(1))).containsExactly(block(97));
    }

    @Test
    void whatNobodyHeardIsToldAgain() {
        use(1);
        List<Use> told = heat.tell(10);
        use(1);

        heat.takeBack(told);

        assertThat(heat.tell(10))
                .containsExactly(new Use(block(1), PARENT, BYTES, Uses.sum(Uses.at(now), Uses.at(now))));
    }

    @Test
    void ofMoreThanFitsThoseUsedLeastAreForgotten() {
        for (int i = 0; i < 10_000; i++) {
            use(i);
            use(i % 10);
            now = now.plusSeconds(1);
        }

        List<UsedBlock> known = blocks(heat.tell(10_000));

        assertThat(known).hasSize(heat.blocks()).hasSizeLessThanOrEqualTo(1_600);
        for (int i = 0; i < 10; i++) {
            assertThat(known).contains(block(i));
        }
        for (int i = 9_500; i < 10_000; i++) {
            assertThat(known).contains(block(i));
        }
    }

    @Test
    void whereAllAreAlikeSomeStay() {
        for (int i = 0; i < 10_000; i++) {
            use(i);
        }

        assertThat(heat.blocks()).isBetween(800, 1_600);
    }

    @Property(tries = 50)
    void inWhateverPortionsItIsToldItSumsUpToWhatWasUsed(
            @ForAll @IntRange(min = 1, max = 100) int most,
            @ForAll @IntRange(min = 1, max = 5) int heardOf,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<UsedBlock, Double> exact = new HashMap<>();
        List<Use> told = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int block = random.nextInt(50);
            now = now.plusSeconds(random.nextInt(60));
            use(block);
            exact.merge(block(block), Uses.at(now), Uses::sum);
            if (random.nextInt(20) == 0) {
                List<Use> some = heat.tell(most);
                if (random.nextInt(5) < heardOf) {
                    told.addAll(some);
                } else {
                    heat.takeBack(some);
                }
            }
        }
        told.addAll(heat.tell(500));

        Map<UsedBlock, Double> sums = new HashMap<>();
        told.forEach(use -> sums.merge(use.block(), use.uses(), Uses::sum));
        assertThat(sums).hasSameSizeAs(exact);
        exact.forEach((block, uses) -> assertThat(sums.get(block)).isCloseTo(uses, within(1e-6)));
    }
}
