package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.heat.Uses;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HeatTest {
    private static final StorageLocation STORAGE = new StorageLocation.Filesystem(Path.of("somewhere"));
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final int MOST = 1_600;

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final Heat heat = Heat.of(() -> now, MOST);

    private static BlockKey block(int i) {
        return new BlockKey(STORAGE, ROOT, new BlockHash(5, 6, 7, i));
    }

    private void use(int i) {
        heat.used("acme", block(i), 4711, 1_200_000);
    }

    /** A moment later. */
    private void passSeconds(int seconds) {
        heat.weigh();
        now = now.plusSeconds(seconds);
    }

    private static List<BlockKey> blocks(List<BlockUse> uses) {
        return uses.stream().map(use -> use.block().key()).toList();
    }

    private static Map<BlockKey, Double> sums(List<BlockUse> uses) {
        Map<BlockKey, Double> sums = new HashMap<>();
        uses.forEach(use -> sums.merge(use.block().key(), use.uses(), Uses::sum));
        return sums;
    }

    private double twice() {
        return Uses.sum(Uses.at(now), Uses.at(now));
    }

    @Test
    void whatWasUsedIsToldOnce() {
        use(1);
        use(1);
        use(2);

        assertThat(sums(heat.tell(10))).isEqualTo(Map.of(block(1), twice(), block(2), Uses.at(now)));
        assertThat(heat.tell(10)).isEmpty();
    }

    @Test
    void whatIsUsedAgainIsToldOfThatUseAlone() {
        use(1);
        heat.tell(10);

        use(1);

        assertThat(heat.tell(10)).extracting(BlockUse::uses).containsExactly(Uses.at(now));
    }

    @Test
    void ofMoreThanCanBeToldTheMostUsedComeFirst() {
        for (int i = 0; i < 100; i++) {
            use(i);
            passSeconds(1);
        }

        assertThat(blocks(heat.tell(2))).containsExactly(block(99), block(98));
        assertThat(blocks(heat.tell(1))).containsExactly(block(97));
    }

    @Test
    void whatNobodyHeardIsToldAgain() {
        use(1);
        List<BlockUse> told = heat.tell(10);
        use(1);

        heat.takeBack(told);

        assertThat(sums(heat.tell(10))).isEqualTo(Map.of(block(1), twice()));
    }

    @Test
    void ofMoreThanFitsThoseUsedLeastAreForgotten() {
        for (int i = 0; i < 5_000; i++) {
            use(i);
            use(i % 10);
            passSeconds(1);
        }

        List<BlockKey> known = blocks(heat.tell(10_000));

        assertThat(known).hasSize(MOST);
        for (int i = 0; i < 10; i++) {
            assertThat(known).contains(block(i));
        }
        for (int i = 5_000 - MOST + 10; i < 5_000; i++) {
            assertThat(known).contains(block(i));
        }
    }

    @Test
    void whereAllAreAlikeSomeStay() {
        for (int i = 0; i < 10_000; i++) {
            use(i);
        }
        assertThat(heat.blocks()).isEqualTo(2 * MOST);

        heat.weigh();

        assertThat(heat.blocks()).isEqualTo(MOST);
    }

    @Test
    void whoIsHeardByNobodyCountsNothing() {
        Heat unheard = Heat.unheard();

        unheard.used("acme", block(1), 4711, 1_200_000);

        assertThat(unheard.blocks()).isZero();
    }

    @Test
    void noUseIsLostWhileManyCountAndOneTells() throws Exception {
        int threads = 4;
        int uses = 100_000;
        List<BlockUse> told = new ArrayList<>();
        try (ExecutorService counting = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                done.add(counting.submit(() -> {
                    for (int i = 0; i < uses; i++) {
                        use(i % 100);
                    }
                }));
            }
            while (done.stream().anyMatch(future -> !future.isDone())) {
                told.addAll(heat.tell(MOST));
            }
            for (Future<?> future : done) {
                future.get();
            }
        }
        told.addAll(heat.tell(MOST));

        Map<BlockKey, Double> sums = sums(told);
        assertThat(sums).hasSize(100);
        sums.values().forEach(sum -> assertThat(Uses.count(sum, now)).isCloseTo(threads * uses / 100.0, within(0.01)));
    }

    @Property(tries = 50)
    void inWhateverPortionsItIsToldItSumsUpToWhatWasUsed(
            @ForAll @IntRange(min = 1, max = 100) int atMost,
            @ForAll @IntRange(max = 4) int heardOf,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<BlockKey, Double> exact = new HashMap<>();
        List<BlockUse> told = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int block = random.nextInt(50);
            use(block);
            exact.merge(block(block), Uses.at(now), Uses::sum);
            passSeconds(random.nextInt(60));
            if (random.nextInt(20) == 0) {
                List<BlockUse> some = heat.tell(atMost);
                if (random.nextInt(5) <= heardOf) {
                    told.addAll(some);
                } else {
                    heat.takeBack(some);
                }
            }
        }
        told.addAll(heat.tell(500));

        Map<BlockKey, Double> sums = sums(told);
        assertThat(sums).hasSameSizeAs(exact);
        exact.forEach((block, uses) -> assertThat(sums.get(block)).isCloseTo(uses, within(1e-6)));
    }
}
