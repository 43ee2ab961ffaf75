package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class BloomFilterTest {
    @Property(tries = 200)
    void neverDeniesWhatWasAdded(
            @ForAll @IntRange(min = 1, max = 2000) int capacity, @ForAll @Size(max = 4000) List<Long> keys) {
        BloomFilter filter = BloomFilter.ofCapacity(capacity);

        keys.forEach(filter::add);

        assertThat(keys).allMatch(filter::mightContain);
    }

    @Test
    void takesFewAbsentKeysForPresent() {
        SplittableRandom random = new SplittableRandom(1);
        BloomFilter filter = BloomFilter.ofCapacity(100_000);
        random.longs(100_000).forEach(filter::add);

        long wrong = random.longs(1_000_000).filter(filter::mightContain).count();

        assertThat(wrong).isLessThan(1_000);
        assertThat(filter.size()).isBetween(99_900, 100_000);
    }

    @Property(tries = 50)
    void isTheSameAfterBeingWrittenAndRead(@ForAll @Size(max = 500) List<Long> keys, @ForAll long other) {
        BloomFilter filter = BloomFilter.ofCapacity(300);
        keys.forEach(filter::add);
        ByteBuffer bytes = ByteBuffer.allocate(filter.encodedBytes());

        filter.writeTo(bytes);
        BloomFilter read = BloomFilter.readFrom(bytes.flip());

        assertThat(bytes.hasRemaining()).isFalse();
        assertThat(keys).allMatch(read::mightContain);
        assertThat(read.mightContain(other)).isEqualTo(filter.mightContain(other));
        assertThat(read.size()).isEqualTo(filter.size());
    }

    @Test
    void aCopyGoesItsOwnWay() {
        BloomFilter filter = BloomFilter.ofCapacity(10);

        filter.copy().add(7);

        assertThat(filter.mightContain(7)).isFalse();
    }

    @Test
    void whatEndsEarlyIsNoFilter() {
        ByteBuffer bytes = ByteBuffer.allocate(100).putInt(1_000_000).putInt(0).rewind();

        assertThatIllegalArgumentException().isThrownBy(() -> BloomFilter.readFrom(bytes));
    }
}
