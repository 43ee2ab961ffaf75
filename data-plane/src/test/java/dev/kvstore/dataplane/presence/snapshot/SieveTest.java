package dev.kvstore.dataplane.presence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class SieveTest {
    private static long[] some(long seed, int size) {
        return new SplittableRandom(seed)
                .longs(size, 0, 1L << Fingerprint.BITS)
                .sorted()
                .toArray();
    }

    private static Sieve of(long[] fingerprints) {
        return Sieve.of(LongStream.of(fingerprints).iterator(), fingerprints.length);
    }

    /** A key with this fingerprint. */
    private static long key(long fingerprint) {
        return fingerprint << (Long.SIZE - Fingerprint.BITS);
    }

    @Property(tries = 200)
    void letsAllPassThatItWasMadeOf(@ForAll long seed, @ForAll @IntRange(min = 1, max = 2000) int size) {
        long[] fingerprints = some(seed, size);

        Sieve sieve = of(fingerprints);

        assertThat(LongStream.of(fingerprints).allMatch(sieve::passes)).isTrue();
    }

    @Property(tries = 200)
    void saysOfQuestionsTogetherWhatItSaysOfEach(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = KeyBatch.MAX) int count, @ForAll long asked) {
        Sieve sieve = of(some(seed, 10));
        long[] asking = some(seed + 1, count);
        KeyBatch questions = new KeyBatch();
        long each = 0;
        for (int i = 0; i < count; i++) {
            questions.add(key(asking[i]));
            each |= sieve.passes(asking[i]) ? 1L << i : 0;
        }

        assertThat(sieve.pass(questions, asked)).isEqualTo(each & asked);
    }

    @Test
    void letsOneInEightOfTheOthersPassAtMost() {
        Sieve sieve = of(some(1, 1 << 16));

        double passing = LongStream.of(some(2, 1 << 16)).filter(sieve::passes).count() / (double) (1 << 16);

        assertThat(passing).isBetween(0.10, 0.125);
    }

    @Test
    void takesOneToTwoBytesForEachOfMany() {
        assertThat(of(some(1, 100_000)).bytes()).isBetween(100_000L, 200_000L);
    }
}
