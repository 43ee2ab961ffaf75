package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.storage.StorageException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class PrefixSearchTest {
    @Property
    void findsTheLongestPrefixInALogarithmOfChecks(
            @ForAll @IntRange(max = 5000) int size,
            @ForAll @IntRange(max = 5000) int storedSeed,
            @ForAll @IntRange(max = 5000) int knownSeed)
            throws StorageException {
        int stored = storedSeed % (size + 1);
        int known = knownSeed % (stored + 1);
        int[] checks = {0};

        int found = PrefixSearch.longest(size, i -> i == known - 1, i -> {
            checks[0]++;
            return i < stored;
        });

        assertThat(found).isEqualTo(stored);
        assertThat(checks[0]).isLessThanOrEqualTo(size == 0 ? 0 : ceilLog2(size) + 1);
    }

    @Property
    void asksNothingWhenTheLastBlockIsKnown(@ForAll @IntRange(min = 1, max = 5000) int size) throws StorageException {
        int found = PrefixSearch.longest(size, i -> i == size - 1, i -> {
            throw new AssertionError("asked about " + i);
        });

        assertThat(found).isEqualTo(size);
    }

    private static int ceilLog2(int n) {
        return 32 - Integer.numberOfLeadingZeros(n - 1);
    }
}
