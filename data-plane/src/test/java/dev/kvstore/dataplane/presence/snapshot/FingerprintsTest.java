package dev.kvstore.dataplane.presence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@net.jqwik.api.Tag("slow")
final class FingerprintsTest {
    private static final long MOST = (1L << Fingerprint.BITS) - 1;

    /** As dense, and as uneven, as can be. */
    private static SortedSet<Long> some(long seed, int size, int spread) {
        Random random = new Random(seed);
        SortedSet<Long> fingerprints = new TreeSet<>();
        long middle = random.nextLong(MOST + 1);
        while (fingerprints.size() < size) {
            long near = middle + (random.nextLong() >> (Long.SIZE - 2 - spread));
            fingerprints.add(Math.clamp(random.nextInt(10) == 0 ? random.nextLong(MOST + 1) : near, 0, MOST));
        }
        return fingerprints;
    }

    private static Fingerprints of(SortedSet<Long> fingerprints) {
        long[] ascending = fingerprints.stream().mapToLong(i -> i).toArray();
        return Fingerprints.of(ascending, ascending.length);
    }

    @Property(tries = 1000)
    void hasWhatItWasMadeOfAndNothingElse(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 2000) int size,
            @ForAll @IntRange(min = 12, max = Fingerprint.BITS) int spread) {
        SortedSet<Long> model = some(seed, size, spread);

        Fingerprints set = of(model);

        assertThat(set.size()).isEqualTo(size);
        for (long fingerprint : model) {
            assertThat(set.contains(fingerprint)).isTrue();
            for (long near = fingerprint - 3; near <= fingerprint + 3; near++) {
                assertThat(set.contains(near)).isEqualTo(model.contains(near));
            }
        }
    }

    @Property(tries = 300)
    void givesBackWhatItWasMadeOf(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 2000) int size,
            @ForAll @IntRange(min = 12, max = Fingerprint.BITS) int spread) {
        SortedSet<Long> model = some(seed, size, spread);

        long[] all =
                LongStream.generate(of(model).iterator()::nextLong).limit(size).toArray();

        assertThat(all).containsExactly(model.stream().mapToLong(i -> i).toArray());
        assertThat(of(model).iterator()).toIterable().containsExactlyElementsOf(model);
    }

    @Property(tries = 300)
    void isTheSameAfterBeingWrittenAndRead(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 500) int size,
            @ForAll @IntRange(min = 12, max = Fingerprint.BITS) int spread) {
        SortedSet<Long> model = some(seed, size, spread);
        Fingerprints set = of(model);
        ByteBuffer bytes = ByteBuffer.allocate(set.encodedBytes());

        set.writeTo(bytes);
        Fingerprints read = Fingerprints.readFrom(bytes.flip());

        assertThat(bytes.hasRemaining()).isFalse();
        assertThat(read.iterator()).toIterable().containsExactlyElementsOf(model);
    }

    @Property(tries = 300)
    void whatEndsEarlyIsNoSet(@ForAll @IntRange(min = 1, max = 500) int size, @ForAll @IntRange(max = 5000) int cut) {
        Fingerprints set = of(some(1, size, 30));
        ByteBuffer bytes = ByteBuffer.allocate(set.encodedBytes());
        set.writeTo(bytes);
        bytes.flip().limit(cut % bytes.limit());

        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprints.readFrom(bytes));
    }

    @Test
    void takesTwelveBitsEachWhenTheyLieLikeThoseOfAHundredMillionKeys() {
        int size = 500_000;
        long range = (1L << Fingerprint.BITS) * size / 100_000_000;
        long[] ascending =
                new Random(1).longs(size, 0, range).sorted().distinct().toArray();

        Fingerprints set = Fingerprints.of(ascending, ascending.length);

        assertThat(8.0 * set.encodedBytes() / ascending.length).isBetween(11.0, 12.5);
        assertThat(Arrays.stream(ascending)).allMatch(set::contains);
    }

    @Test
    void hasWhatIsDenserThanAnyHash() {
        long[] ascending = LongStream.range(MOST - 100_000, MOST + 1).toArray();

        Fingerprints set = Fingerprints.of(ascending, ascending.length);

        assertThat(Arrays.stream(ascending)).allMatch(set::contains);
        assertThat(set.contains(MOST - 100_001)).isFalse();
        assertThat(set.contains(0)).isFalse();
    }
}
